import OutlinedInput from '@mui/material/OutlinedInput'
import type { FieldValues } from 'react-hook-form'
import { completeClockTime, formatDuration, parseDuration } from '~/lib/duration'
import { type FieldProps, FieldShell, useField } from './field-shell'

/** A duration as people type it; it is written back as `1h20m` when they go on. */
export const DurationField = <T extends FieldValues, C>(props: FieldProps<T, C>) => <TidiedField {...props} tidied={tidiedDuration} />

/** A time of day, HH:mm or empty. A text, because a browser's own field drops what is half typed. */
export const TimeField = <T extends FieldValues, C>(props: FieldProps<T, C>) => <TidiedField {...props} tidied={completeClockTime} />

function tidiedDuration(typed: string): string {
  const minutes = parseDuration(typed)
  return minutes === null ? typed : formatDuration(minutes)
}

/** A text that is written back tidied when people go on. */
export function TidiedField<T extends FieldValues, C>({ tidied, ...props }: FieldProps<T, C> & { tidied: (typed: string) => string }) {
  const { field, id, label, help, error, describedBy, disabled } = useField(props)
  const value: string = field.value ?? ''
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel}>
      <OutlinedInput
        {...field}
        ref={undefined}
        inputRef={field.ref}
        value={value}
        id={id}
        disabled={disabled}
        onBlur={() => {
          if (tidied(value) !== value) field.onChange(tidied(value))
          field.onBlur()
        }}
        inputProps={{ autoComplete: 'off', maxLength: 30, 'aria-required': props.required, 'aria-describedby': describedBy }}
      />
    </FieldShell>
  )
}
