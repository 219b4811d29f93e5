import { useEffect } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { ApiError } from '~/api/errors'
import { structuredAt } from './structured'

/** Puts each of the server's texts at its field, or the row of its list; the first one gets the focus. Unknown paths stay in the alerts only. */
export function useServerErrors<I extends FieldValues, C, O>(form: UseFormReturn<I, C, O>, error: unknown): void {
  useEffect(() => {
    if (!(error instanceof ApiError)) return
    const { mount, array } = form.control._names
    let first = true
    for (const [path, messages] of Object.entries(error.fields)) {
      const message = messages.join(' ')
      const list = path.replace(/\.\d+$/, '')
      const within = structuredAt(form.control, path)
      if (!message || !(mount.has(path) || array.has(path) || array.has(list) || within)) continue
      form.setError(path as FieldPath<I>, { type: 'server', message }, { shouldFocus: first && !within })
      if (first && within) form.setFocus(within as FieldPath<I>)
      first = false
    }
  }, [error, form])
}
