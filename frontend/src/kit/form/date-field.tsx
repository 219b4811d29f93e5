import type { FieldValues } from 'react-hook-form'
import { useFormat } from '~/i18n/use-format'
import { DateInput, dayFieldText } from './date-input'
import { type FieldProps, FieldShell, useField } from './field-shell'

/**
 * Form field for a calendar day. Its value is `yyyy-mm-dd`, empty, or the typed text while that is no day.
 */
export function DateField<T extends FieldValues, C>(props: FieldProps<T, C> & { min?: string; max?: string }) {
  const { lang } = useFormat()
  const { field, id, label, help, error, describedBy, disabled } = useField(props, (day: string) => dayFieldText(day, lang))
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={props.required} hiddenLabel={props.hiddenLabel}>
      <DateInput
        id={id}
        name={field.name}
        inputRef={field.ref}
        value={field.value ?? ''}
        onChange={field.onChange}
        onBlur={field.onBlur}
        min={props.min}
        max={props.max}
        disabled={disabled}
        inputProps={{ 'aria-required': props.required, 'aria-describedby': describedBy }}
      />
    </FieldShell>
  )
}
