import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { completeClockTime } from '~/lib/duration'
import { DateInput } from './date-input'
import { useFieldError } from './field-error'
import { FieldShell, useField } from './field-shell'

interface Props<T extends FieldValues> {
  control: Control<T>
  /** Names of the two form fields: a day and a time. */
  day: FieldPath<T>
  time: FieldPath<T>
  label?: string
  timeLabel: string
  help: string
}

/** Day and time that make a moment; both are empty while there is none. */
export function MomentField<T extends FieldValues>({ control, day: dayName, time: timeName, label: labelText, timeLabel, help }: Props<T>) {
  const { id, label, error } = useField({ control, name: dayName, ...(labelText !== undefined && { label: labelText }) })
  const { field: day } = useController({ control, name: dayName })
  const { field: time, fieldState } = useController({ control, name: timeName })
  const timeError = useFieldError(fieldState.error)
  const descriptionProps = { 'aria-describedby': `${id}-help` }
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
            // a chosen day starts at midnight until another time is entered
            if (next !== '' && time.value === '') time.onChange('00:00')
            if (next === '') time.onChange('')
          }}
          onBlur={day.onBlur}
          error={error !== null}
          inputProps={descriptionProps}
        />
      </FieldShell>
      <FieldShell id={`${id}-time`} label={timeLabel} help="" error={timeError}>
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
