import { useEffect } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'

/** Names of composite fields by the control of their form. */
const compositeFields = new WeakMap<object, Set<string>>()

/** Registers a composite field: it shows the errors of its parts itself. */
export function useCompositeField<T extends FieldValues, C, O>(control: Control<T, C, O>, name: FieldPath<T>): void {
  useEffect(() => {
    const names = compositeFields.get(control) ?? new Set()
    compositeFields.set(control, names.add(name))
    return () => {
      names.delete(name)
    }
  }, [control, name])
}

/** Returns the composite field that a path leads into. */
export const compositeFieldAt = <T extends FieldValues, C, O>(control: Control<T, C, O>, path: string): string | undefined =>
  [...(compositeFields.get(control) ?? [])].find((name) => path.startsWith(`${name}.`))
