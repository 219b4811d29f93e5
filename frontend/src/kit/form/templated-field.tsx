import FormControlLabel from '@mui/material/FormControlLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import Switch from '@mui/material/Switch'
import { useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { type FieldProps, FieldShell, useField } from './field-shell'

interface Props<T extends FieldValues, C> extends FieldProps<T, C> {
  /** What the template gives; null as long as it gives nothing. */
  given: string | null
  max?: number
}

/** A text from a template, unless one writes it oneself; null in the form stands for the template's. */
export function TemplatedField<T extends FieldValues, C>({ given, max, ...props }: Props<T, C>) {
  const { t } = useTranslation()
  const { field, id, label, help, error, describedBy, disabled } = useField(props)
  const input = useRef<HTMLInputElement>(null)
  const own = field.value !== null
  return (
    <FieldShell id={id} label={label} help={help} error={error} required={own}>
      <OutlinedInput
        id={id}
        name={field.name}
        value={own ? field.value : (given ?? '')}
        disabled={disabled}
        readOnly={!own}
        placeholder={own ? undefined : t('template.pending')}
        onChange={field.onChange}
        onBlur={field.onBlur}
        inputRef={(element: HTMLInputElement | null) => {
          input.current = element
          field.ref(element)
        }}
        inputProps={{ autoComplete: 'off', maxLength: max, 'aria-required': own, 'aria-describedby': describedBy }}
        sx={own ? {} : { bgcolor: 'action.hover' }}
      />
      {!disabled && (
        <FormControlLabel
          label={t('template.use')}
          slotProps={{ typography: { variant: 'body2' } }}
          control={
            <Switch
              size="small"
              checked={!own}
              onChange={(_, use) => {
                field.onChange(use ? null : (given ?? ''))
                if (!use) input.current?.focus()
              }}
              slotProps={{ input: { 'aria-label': t('template.useFor', { field: label }) } }}
            />
          }
          sx={{ mt: 0.5, ml: -0.5, alignSelf: 'start' }}
        />
      )}
    </FieldShell>
  )
}
