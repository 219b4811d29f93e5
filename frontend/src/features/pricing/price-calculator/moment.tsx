import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type Control, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { DateInput } from '~/kit/form/date-input'
import { useFieldError } from '~/kit/form/field-error'
import { FieldShell, useField } from '~/kit/form/field-shell'
import { completeClockTime } from '~/lib/duration'
import { isZoneForeign, useConfig } from '~/session/config'
import type { CartForm } from './cart'

/** The day and the time of the installation that a cart is calculated for; now, as long as there is no day. */
export function Moment({ control }: { control: Control<CartForm> }) {
  const { t } = useTranslation('priceCalculator')
  const { time_zone: zone } = useConfig()
  const { id, label, error } = useField({ control, name: 'day' })
  const { field: day } = useController({ control, name: 'day' })
  const { field: time, fieldState } = useController({ control, name: 'time' })
  const timeError = useFieldError(fieldState.error)
  const help = isZoneForeign(zone) ? t('moment.zone', { zone }) : t('moment.help')
  const described = { 'aria-describedby': `${id}-help` }
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) 104px', gap: 1, alignItems: 'start' }}>
      <FieldShell id={id} label={label} help={help} error={error}>
        <DateInput
          id={id}
          name={day.name}
          inputRef={day.ref}
          value={day.value}
          onChange={(next) => {
            day.onChange(next)
            // a day that is chosen begins at midnight until another time is said
            if (next !== '' && time.value === '') time.onChange('00:00')
            if (next === '') time.onChange('')
          }}
          onBlur={day.onBlur}
          error={error !== null}
          inputProps={described}
        />
      </FieldShell>
      <FieldShell id={`${id}-time`} label={t('moment.time')} help="" error={timeError}>
        <OutlinedInput
          id={`${id}-time`}
          name={time.name}
          inputRef={time.ref}
          value={time.value}
          disabled={day.value === ''}
          onChange={time.onChange}
          onBlur={() => {
            time.onChange(completeClockTime(time.value))
            time.onBlur()
          }}
          error={timeError !== null}
          placeholder="HH:mm"
          inputProps={{
            ...(timeError && { 'aria-describedby': `${id}-time-help` }),
            inputMode: 'numeric',
            maxLength: 5,
            autoComplete: 'off',
          }}
        />
      </FieldShell>
    </Box>
  )
}
