import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useFormat } from '~/i18n/use-format'
import { DecimalInput, decimalText } from '~/kit/form/decimal-input'
import { type FieldProps, FieldShell, useField } from '~/kit/form/field-shell'

interface Props<T extends FieldValues, C> extends FieldProps<T, C> {
  /** Value computed from the other fields; null if none can be computed. */
  computedValue: string | null
  /** Text that says what the computed value is derived from. */
  from: string
  /** Text that is shown if no value can be computed. */
  missing: string
  max?: number
  /** Unit of a decimal; without it the field is a text. */
  unit?: string
}

/** Field with a computed value that the user can override; null in the form means the computed value. */
export function OverrideField<T extends FieldValues, C>({ computedValue, from, missing, max, unit, ...props }: Props<T, C>) {
  const { lang } = useFormat()
  const read = (value: string | null) => (value === null ? from : unit ? decimalText(value, lang) : value)
  const { field, id, label, help, error, describedBy, disabled } = useField(props, read)
  const Input = unit ? DecimalInput : OutlinedInput
  const input = useRef<HTMLInputElement>(null)
  const own = field.value !== null
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={own} note={props.note}>
      <Input
        id={id}
        name={field.name}
        value={own ? field.value : (computedValue ?? '')}
        disabled={disabled}
        readOnly={!own}
        placeholder={own ? undefined : missing}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={(element: HTMLInputElement | null) => {
          input.current = element
          field.ref(element)
        }}
        {...(unit && { unit })}
        inputProps={{ autoComplete: 'off', maxLength: max, 'aria-required': own, 'aria-describedby': describedBy }}
        sx={own ? {} : { bgcolor: 'action.hover' }}
      />
      {!disabled && (
        <FormControlLabel
          label={from}
          slotProps={{ typography: { variant: 'body2' } }}
          control={
            <Switch
              size="small"
              checked={!own}
              onChange={(_, use) => {
                field.onChange(use ? null : (computedValue ?? ''))
                if (!use) input.current?.focus()
              }}
              slotProps={{ input: { 'aria-label': `${label}: ${from}` } }}
            />
          }
          sx={{ mt: 0.5, ml: -0.5, alignSelf: 'start' }}
        />
      )}
    </FieldShell>
  )
}
