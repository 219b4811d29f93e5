import { createContext, type ReactNode, useContext } from 'react'
import type { Namespace } from '~/i18n/namespaces'

/** How people read a field's value; nothing where there is none. */
export type Reading = (value: never) => ReactNode

/** How the entries of a field that is a list are told apart, and how people read them. */
export interface Entries<Entry, Row = unknown> {
  /** The same for the same entry, whoever has changed it; nothing for one that is new. Without it the list is one value. */
  key?: (entry: Entry) => number | string | null
  title?: (entry: Entry) => ReactNode
  /** In the record as it was or has become. */
  text: (entry: Entry, row: Row) => ReactNode
}
export type AnyEntries = Entries<never, never>

/** What every field of a form shares. */
export interface FormScope {
  ns: Namespace
  readOnly: boolean
  /** By field, where people read something else than the value itself; kept for who shows values beside the fields. */
  readings?: Map<string, Reading>
}

export const FormScopeContext = createContext<FormScope>({ ns: 'common', readOnly: false })
export const useFormScope = (): FormScope => useContext(FormScopeContext)
