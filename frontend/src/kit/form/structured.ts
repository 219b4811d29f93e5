import { useEffect } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'

/** Names of composite fields by the control of their form. */
const known = new WeakMap<object, Set<string>>()

/** Registers a composite field: it shows the errors of its parts itself. */
export function useStructured<T extends FieldValues, C, O>(control: Control<T, C, O>, name: FieldPath<T>): void {
  useEffect(() => {
    const names = known.get(control) ?? new Set()
    known.set(control, names.add(name))
    return () => {
      names.delete(name)
    }
  }, [control, name])
}

/** Returns the composite field that a path leads into. */
export const structuredAt = <T extends FieldValues, C, O>(control: Control<T, C, O>, path: string): string | undefined =>
  [...(known.get(control) ?? [])].find((name) => path.startsWith(`${name}.`))
