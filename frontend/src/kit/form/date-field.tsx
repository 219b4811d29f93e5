import OutlinedInput from '@mui/material/OutlinedInput'
import type { FieldValues } from 'react-hook-form'
import { useFormat } from '~/i18n/use-format'
import { type FieldProps, FieldShell, useField } from './field-shell'

/** A calendar day, yyyy-mm-dd or empty, by the browser's own picker. */
export function DateField<T extends FieldValues, C>(props: FieldProps<T, C> & { min?: string; max?: string }) {
  const format = useFormat()
  const { field, id, label, help, error, describedBy, disabled } = useField(props, (day: string) => day && format.date(`${day}T00:00:00`))
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel}>
      <OutlinedInput
        {...field}
        ref={undefined}
        inputRef={field.ref}
        value={field.value ?? ''}
        id={id}
        type="date"
        disabled={disabled}
        inputProps={{ min: props.min, max: props.max, 'aria-required': props.required, 'aria-describedby': describedBy }}
      />
    </FieldShell>
  )
}
