import { useEffect, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormSetValue } from 'react-hook-form'
import { useLocation } from 'react-router'
import { type Draft, draftAt, dropDraft } from '~/session/drafts'
import { keepTenant } from '~/session/tenant'
import { COPY_OF } from './copy-of'

/** Key under which a form's draft is stored: its path, its tenant, and the record that it copies. */
export function usePlace(): string {
  const { pathname, search } = useLocation()
  const copied = new URLSearchParams(search).get(COPY_OF)
  return `${pathname}${keepTenant(search)}${copied === null ? '' : `#${copied}`}`
}

const known = (values: FieldValues, form: FieldValues) => Object.fromEntries(Object.entries(values).filter(([name]) => name in form))

/**
 * Returns the draft that was typed into this form before a reload, limited to fields that the form still
 * has.
 */
export function useDraft(place: string, form: FieldValues, wanted: boolean): Draft | null {
  const [draft] = useState(() => {
    const kept = wanted ? draftAt(place) : null
    return kept && { ...kept, base: { ...form, ...known(kept.base, form) }, values: known(kept.values, form) }
  })
  useEffect(() => {
    dropDraft(place)
    // a saved or discarded draft is not offered again
    return () => dropDraft(place)
  }, [place])
  return draft
}

/** Restores a draft once. Returns whether its notice is shown, and a function to end that. */
export function useRestored<Form extends FieldValues>(draft: Draft | null, setValue: UseFormSetValue<Form>) {
  const [restored, setRestored] = useState(draft !== null)
  useEffect(() => {
    for (const [name, value] of Object.entries(draft?.values ?? {})) {
      setValue(name as Path<Form>, value as PathValue<Form, Path<Form>>, { shouldDirty: true, shouldTouch: true })
    }
  }, [draft, setValue])
  return { shown: restored, end: () => setRestored(false) }
}
