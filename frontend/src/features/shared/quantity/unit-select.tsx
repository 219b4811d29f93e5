import InputBase from '@mui/material/InputBase'
import type { NativeSelectProps } from '@mui/material/NativeSelect'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import type { Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormScope } from '~/kit/form/form-context'
import { NativeSelect } from '~/kit/ui/native-select'

interface InputProps extends Pick<NativeSelectProps, 'name' | 'inputRef' | 'value' | 'disabled' | 'onChange' | 'onBlur'> {
  units: readonly Unit[]
  label: string
}

/** Select for the unit of the number beside it. */
export function UnitInput({ units, label, ...props }: InputProps) {
  const symbol = useUnitSymbols()
  return (
    <NativeSelect
      {...props}
      variant="standard"
      input={<InputBase />}
      inputProps={{ 'aria-label': label }}
      sx={{ color: 'text.secondary', '&&& select': { minWidth: 32 } }}
    >
      {units.map((unit) => (
        <option key={unit} value={unit}>
          {symbol(unit)}
        </option>
      ))}
    </NativeSelect>
  )
}

interface Props<T extends FieldValues, C> {
  control: Control<T, C, FieldValues>
  name: FieldPath<T>
  units: readonly Unit[]
  /** Unit shown if the form has none. */
  fallback?: Unit | null
  label: string
}

/** Select for a unit as a form field. */
export function UnitSelect<T extends FieldValues, C>({ control, name, units, fallback, label }: Props<T, C>) {
  const { readOnly } = useFormScope()
  const { field } = useController({ control: control as unknown as Control<T>, name })
  return (
    <UnitInput
      name={field.name}
      inputRef={field.ref}
      value={field.value || (fallback ?? '')}
      disabled={readOnly}
      onChange={field.onChange}
      onBlur={field.onBlur}
      units={units}
      label={label}
    />
  )
}
