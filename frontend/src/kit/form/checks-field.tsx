import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControl from '@mui/material/FormControl'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormGroup from '@mui/material/FormGroup'
import FormHelperText from '@mui/material/FormHelperText'
import FormLabel from '@mui/material/FormLabel'
import { type FieldValues, get, useFormState } from 'react-hook-form'
import { useFormat } from '~/i18n/use-format'
import { useFieldError } from './field-error'
import { type FieldProps, useField } from './field-shell'

interface Props<T extends FieldValues, C, V extends string> extends FieldProps<T, C> {
  values: readonly V[]
  labelOf: (value: V) => string
  /** Help text below the box. */
  helpOf: (value: V) => string
  /** Reason why a value cannot be chosen now; it is then shown disabled. */
  blocked?: (value: V) => string | null
}

/** Multiple choice from a few values: a checkbox for each, with a help text. */
export function ChecksField<T extends FieldValues, C, V extends string>(props: Props<T, C, V>) {
  const { control, name, values, labelOf, helpOf, blocked } = props
  const { list } = useFormat()
  const { field, id, label, help, disabled } = useField(props, (chosen: V[]) => list(chosen.map(labelOf)))
  const { errors } = useFormState({ control, name })
  const error = useFieldError(get(errors, name))
  const chosen = field.value as readonly V[]
  const withToggled = (value: V, checked: boolean) =>
    checked ? values.filter((other) => other === value || chosen.includes(other)) : chosen.filter((one) => one !== value)
  return (
    <FormControl component="fieldset" error={error !== null} aria-describedby={error || help ? `${id}-help` : undefined}>
      <FormLabel component="legend">
        {label}
        {props.required && <span aria-hidden>{' *'}</span>}
      </FormLabel>
      {(error || help) && (
        <FormHelperText id={`${id}-help`} sx={{ mx: 0 }}>
          {error ?? help}
        </FormHelperText>
      )}
      <FormGroup sx={{ gap: 1, mt: 1 }}>
        {values.map((value, at) => {
          const reason = blocked?.(value) ?? null
          const descriptionId = `${id}-${at}`
          return (
            <Box key={value}>
              <FormControlLabel
                label={labelOf(value)}
                disabled={disabled || reason !== null}
                control={
                  <Checkbox
                    size="small"
                    checked={chosen.includes(value)}
                    onChange={(_, checked) => field.onChange(withToggled(value, checked))}
                    onBlur={field.onBlur}
                    slotProps={{ input: { 'aria-describedby': descriptionId, ...(at === 0 && { ref: field.ref }) } }}
                    sx={{ py: 0.5 }}
                  />
                }
              />
              <FormHelperText id={descriptionId} error={false} sx={{ mt: 0, ml: 3.5 }}>
                {helpOf(value)}
                {reason && ` ${reason}`}
              </FormHelperText>
            </Box>
          )
        })}
      </FormGroup>
    </FormControl>
  )
}
