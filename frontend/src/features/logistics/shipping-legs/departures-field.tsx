import Box from '@mui/material/Box'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import Typography from '@mui/material/Typography'
import { Copy, Eraser } from 'lucide-react'
import { useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type Departure, type Weekday, weekdayValues } from '~/api/schema'
import { formatDepartures, sortDepartures } from '~/features/shared/departure-text'
import { useFormat } from '~/i18n/use-format'
import { afterPointerUp } from '~/kit/form/after-pointer-up'
import { useCompositeField } from '~/kit/form/composite-field'
import { useListError } from '~/kit/form/field-error'
import { useFormScope } from '~/kit/form/form-context'
import { messageText } from '~/kit/ui/message'
import { type RowAction, RowMenu } from '~/kit/ui/row-menu'
import { weekdayNames } from '~/lib/dates'
import { QuickEntry } from './quick-entry'
import type { ShippingLegBody, ShippingLegForm } from './schema'
import { TimesInput } from './times-input'

const WORKING_DAYS = weekdayValues.slice(0, 5)

interface Props {
  control: Control<ShippingLegForm, unknown, ShippingLegBody>
}

/** Field for the departures of a week: one line of text for all, and the times of each weekday. */
export function DeparturesField({ control }: Props) {
  const { t } = useTranslation('shippingLegs')
  const { t: messages } = useTranslation()
  const { readOnly } = useFormScope()
  const { lang } = useFormat()
  const id = useId()
  const { field, formState } = useController({ control, name: 'departures' })
  const listError = useListError(control, 'departures')
  useCompositeField(control, 'departures')
  const departures = field.value
  const names = weekdayNames(lang, 'long')

  const timesOf = (weekday: Weekday) => departures.filter((departure) => departure.weekday === weekday).map(({ time }) => time)
  const withTimes = (weekdays: readonly Weekday[], times: readonly string[]): Departure[] =>
    weekdayValues.flatMap((weekday) => (weekdays.includes(weekday) ? times : timesOf(weekday)).map((time) => ({ weekday, time })))
  const copy = (from: Weekday, to: readonly Weekday[]) => field.onChange(withTimes(to, timesOf(from)))

  function errorOf(weekday: Weekday): string | null {
    const rows = formState.errors.departures
    const errors = departures.flatMap((departure, at) =>
      departure.weekday === weekday ? (rows?.[at]?.time ?? rows?.[at]?.weekday ?? []) : [],
    )
    return errors[0] ? messageText(errors[0], messages) : null
  }

  const actionsOf = (weekday: Weekday): RowAction[] => [
    { label: t('departures.toWorkingDays'), icon: Copy, onClick: () => copy(weekday, WORKING_DAYS) },
    { label: t('departures.toAllDays'), icon: Copy, onClick: () => copy(weekday, weekdayValues) },
    ...weekdayValues.flatMap((other, at) =>
      other === weekday ? [] : [{ label: t('departures.toDay', { day: names[at] }), icon: Copy, onClick: () => copy(weekday, [other]) }],
    ),
    { label: t('departures.clear'), icon: Eraser, onClick: () => field.onChange(withTimes([weekday], [])) },
  ]

  return (
    <Box role="group" aria-labelledby={id}>
      <FormLabel component="div" id={id} error={listError !== null} sx={{ mb: 0.5 }}>
        {t('fields.departures')}
      </FormLabel>
      {listError && (
        <FormHelperText error role="alert" sx={{ mb: 1 }}>
          {listError}
        </FormHelperText>
      )}
      {readOnly ? (
        <Typography>{formatDepartures(departures, lang) || t('departures.none')}</Typography>
      ) : (
        <>
          <QuickEntry onAdd={(added) => field.onChange(sortDepartures([...departures, ...added]))} />
          <Box sx={{ mt: 1.5, display: 'grid', gap: 1 }}>
            {weekdayValues.map((weekday, at) => (
              <Box key={weekday} sx={{ display: 'grid', gap: 1, gridTemplateColumns: '6.5em minmax(0, 1fr) 40px', alignItems: 'start' }}>
                <TimesInput
                  label={names[at] ?? ''}
                  times={timesOf(weekday)}
                  error={errorOf(weekday)}
                  inputRef={at === 0 ? field.ref : undefined}
                  onChange={(times) => field.onChange(withTimes([weekday], times))}
                  onBlur={() => afterPointerUp(field.onBlur)}
                />
                <Box sx={{ pt: '5px' }}>
                  <RowMenu name={names[at] ?? ''} actions={timesOf(weekday).length > 0 ? actionsOf(weekday) : []} />
                </Box>
              </Box>
            ))}
          </Box>
          <FormHelperText>
            {departures.length === 0 ? t('departures.none') : t('departures.count', { count: departures.length })}
          </FormHelperText>
        </>
      )}
    </Box>
  )
}
