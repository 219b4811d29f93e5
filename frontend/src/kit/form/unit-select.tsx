import Select from '@mui/material/Select'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import type { Unit } from '~/api/schema'
import { useUnitSymbols } from '~/api/units'
import { useFormScope } from './form-context'

interface Props<T extends FieldValues, C> {
  control: Control<T, C, FieldValues>
  name: FieldPath<T>
  units: readonly Unit[]
  /** Stands where the form holds none. */
  fallback?: Unit | null
  label: string
}

/** The unit of the number beside it. */
export function UnitSelect<T extends FieldValues, C>({ control, name, units, fallback, label }: Props<T, C>) {
  const symbol = useUnitSymbols()
  const { readOnly } = useFormScope()
  const { field } = useController({ control: control as unknown as Control<T>, name })
  return (
    <Select
      native
      variant="standard"
      disableUnderline
      name={field.name}
      inputRef={field.ref}
      value={field.value || (fallback ?? '')}
      disabled={readOnly}
      onChange={field.onChange}
      onBlur={field.onBlur}
      inputProps={{ 'aria-label': label }}
      sx={{ color: 'text.secondary', '&&& select': { minWidth: 32 } }}
    >
      {units.map((unit) => (
        <option key={unit} value={unit}>
          {symbol(unit)}
        </option>
      ))}
    </Select>
  )
}
