import OutlinedInput from '@mui/material/OutlinedInput'
import type { FieldValues } from 'react-hook-form'
import { completeClockTime, formatDuration, parseDuration } from '~/lib/duration'
import { type FieldProps, FieldShell, useField } from './field-shell'

/** Field for a duration as people type it; rewritten as `1h20m` on blur. */
export const DurationField = <T extends FieldValues, C>(props: FieldProps<T, C>) => (
  <NormalizedField {...props} normalize={normalizeDuration} />
)

/**
 * Field for a time of day, HH:mm or empty. A text input, because the browser's time input discards
 * incomplete input.
 */
export const TimeField = <T extends FieldValues, C>(props: FieldProps<T, C>) => <NormalizedField {...props} normalize={completeClockTime} />

function normalizeDuration(typed: string): string {
  const minutes = parseDuration(typed)
  return minutes === null ? typed : formatDuration(minutes)
}

/** Text field that rewrites its value in a tidy form on blur. */
export function NormalizedField<T extends FieldValues, C>({
  normalize,
  ...props
}: FieldProps<T, C> & { normalize: (typed: string) => string }) {
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
          if (normalize(value) !== value) field.onChange(normalize(value))
          field.onBlur()
        }}
        inputProps={{ autoComplete: 'off', maxLength: 30, 'aria-required': props.required, 'aria-describedby': describedBy }}
      />
    </FieldShell>
  )
}
