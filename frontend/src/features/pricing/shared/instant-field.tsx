import FormControl from '@mui/material/FormControl'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { DateInput } from '~/kit/form/date-input'
import { type FieldProps, FieldShell, useField } from '~/kit/form/field-shell'
import { completeClockTime } from '~/lib/duration'
import { isZoneForeign, useConfig } from '~/session/config'
import { fromMoment, splitMoment } from './moment'

/** Field for a date and a time in the time zone of the installation. */
export function InstantField<T extends FieldValues, C>(props: FieldProps<T, C>) {
  const { t } = useTranslation()
  const { dateTime } = useFormat()
  const { time_zone: zone } = useConfig()
  const { field, id, label, help, error, disabled, ...own } = useField(props, (value: string) => {
    const iso = fromMoment(value)
    return iso ? dateTime(iso, zone) : null
  })
  const [day, time] = splitMoment(field.value ?? 'T')
  const zoneHelp = isZoneForeign(zone) ? t('date.zone', { zone }) : ''
  const describedBy = own.describedBy ?? (zoneHelp ? `${id}-help` : undefined)
  const set = (nextDay: string, nextTime: string) => field.onChange(`${nextDay}T${nextTime}`)
  return (
    <FieldShell id={id} label={label} help={[help, zoneHelp].filter(Boolean).join(' ')} error={error} required={props.required} group>
      <Stack direction="row" spacing={1}>
        <DateInput
          id={id}
          name={field.name}
          inputRef={field.ref}
          value={day}
          // a selected day starts at midnight until a time is entered
          onChange={(next: string) => set(next, time === '' && next !== '' ? '00:00' : time)}
          onBlur={field.onBlur}
          disabled={disabled}
          inputProps={{ 'aria-label': `${label}, ${t('date.day')}`, 'aria-required': props.required, 'aria-describedby': describedBy }}
        />
        <FormControl error={error !== null} sx={{ width: 104, flexShrink: 0 }}>
          <OutlinedInput
            value={time.slice(0, 5)}
            disabled={disabled}
            placeholder="HH:mm"
            onChange={(event) => set(day, event.target.value)}
            onBlur={() => {
              if (time.length <= 5 && completeClockTime(time) !== time) set(day, completeClockTime(time))
              field.onBlur()
            }}
            inputProps={{
              'aria-label': `${label}, ${t('date.time')}`,
              'aria-describedby': describedBy,
              autoComplete: 'off',
              maxLength: 5,
            }}
          />
        </FormControl>
      </Stack>
    </FieldShell>
  )
}
