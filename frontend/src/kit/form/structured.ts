import { useEffect } from 'react'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'

/** Of each form by its control. */
const known = new WeakMap<object, Set<string>>()

/** A field whose value has parts: what is wrong with one of them is its own to show. */
export function useStructured<T extends FieldValues, C, O>(control: Control<T, C, O>, name: FieldPath<T>): void {
  useEffect(() => {
    const names = known.get(control) ?? new Set()
    known.set(control, names.add(name))
    return () => {
      names.delete(name)
    }
  }, [control, name])
}

/** The field with parts that a path leads into. */
export const structuredAt = <T extends FieldValues, C, O>(control: Control<T, C, O>, path: string): string | undefined =>
  [...(known.get(control) ?? [])].find((name) => path.startsWith(`${name}.`))
