import { useEffect, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormSetValue } from 'react-hook-form'
import { useLocation } from 'react-router'
import { draftAt, dropDraft, type FormDraft } from '~/session/drafts'
import { keepTenant } from '~/session/tenant'
import { COPY_PARAM } from './copy-address'

/** Key under which a form's draft is stored: its path, its tenant, and the record that it copies. */
export function useDraftKey(): string {
  const { pathname, search } = useLocation()
  const copied = new URLSearchParams(search).get(COPY_PARAM)
  return `${pathname}${keepTenant(search)}${copied === null ? '' : `#${copied}`}`
}

const formFields = (values: FieldValues, form: FieldValues) => Object.fromEntries(Object.entries(values).filter(([name]) => name in form))

/**
 * Returns the draft that was typed into this form before a reload, limited to fields that the form still
 * has.
 */
export function useDraft(place: string, form: FieldValues, enabled: boolean): FormDraft | null {
  const [draft] = useState(() => {
    const storedDraft = enabled ? draftAt(place) : null
    return (
      storedDraft && {
        ...storedDraft,
        base: { ...form, ...formFields(storedDraft.base, form) },
        values: formFields(storedDraft.values, form),
      }
    )
  })
  useEffect(() => {
    dropDraft(place)
    // a saved or discarded draft is not offered again
    return () => dropDraft(place)
  }, [place])
  return draft
}

/** Restores a draft once. Returns whether its notice is shown, and a function to end that. */
export function useDraftRestore<Form extends FieldValues>(draft: FormDraft | null, setValue: UseFormSetValue<Form>) {
  const [restored, setRestored] = useState(draft !== null)
  useEffect(() => {
    for (const [name, value] of Object.entries(draft?.values ?? {})) {
      setValue(name as Path<Form>, value as PathValue<Form, Path<Form>>, { shouldDirty: true, shouldTouch: true })
    }
  }, [draft, setValue])
  return { isRestored: restored, end: () => setRestored(false) }
}
