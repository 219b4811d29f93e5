import { useEffect, useState } from 'react'
import { type FieldError, type FieldPath, type FieldValues, get, type UseFormReturn } from 'react-hook-form'
import { ApiError } from '~/api/errors'
import { compositeFieldAt } from './composite-field'

interface PlacedErrors {
  error: unknown
  /** Paths of errors for which a field exists. */
  paths: ReadonlySet<string>
}

/** Returns the id of the record that already has the value of a field refused as taken. */
export const ownerOf = (error: FieldError | undefined): number | null => Number(error?.types?.takenBy) || null

/**
 * Puts each error of the server at its field, or at the row of its list; the first one gets the focus,
 * unless the error is of a preview. Errors with unknown paths are shown in the alert only. Returns the error
 * for the alert, without the fields corrected since.
 */
export function useServerErrors<I extends FieldValues, C, O>(form: UseFormReturn<I, C, O>, error: unknown, focus = true): unknown {
  const [placedErrors, setPlacedErrors] = useState<PlacedErrors>({ error: null, paths: new Set() })
  const { errors } = form.formState
  useEffect(() => {
    if (!(error instanceof ApiError)) return
    const { mount, array } = form.control._names
    const paths = new Set<string>()
    for (const [path, messages] of Object.entries(error.fields)) {
      const message = messages.join(' ')
      const list = path.replace(/\.\d+$/, '')
      const compositeField = compositeFieldAt(form.control, path)
      if (!message || !(mount.has(path) || array.has(path) || array.has(list) || compositeField)) continue
      const first = focus && paths.size === 0
      const owner = error.takenBy[path]
      const types = owner === undefined ? {} : { takenBy: String(owner) }
      form.setError(path as FieldPath<I>, { type: 'server', message, types }, { shouldFocus: first && !compositeField })
      if (first && compositeField) form.setFocus(compositeField as FieldPath<I>)
      paths.add(path)
    }
    setPlacedErrors({ error, paths })
  }, [error, form, focus])
  if (!(error instanceof ApiError) || placedErrors.error !== error) return error
  return withoutCorrected(error, (path) => placedErrors.paths.has(path) && get(errors, path) === undefined)
}

/** Returns the error without the corrected fields; null if no other is left. */
function withoutCorrected(error: ApiError, isCorrected: (path: string) => boolean): ApiError | null {
  const fields = Object.entries(error.fields)
  const uncorrected = fields.filter(([path]) => !isCorrected(path))
  if (uncorrected.length === fields.length) return error
  return uncorrected.length === 0 ? null : new ApiError({ ...error, message: error.message, fields: Object.fromEntries(uncorrected) })
}
