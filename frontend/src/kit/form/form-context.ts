import { createContext, type ReactNode, useContext } from 'react'
import type { Namespace } from '~/i18n/namespaces'

/** Displays a field's value; an empty result if there is no value. */
export type DisplayValue = (value: never) => ReactNode

/** Identifies and displays the entries of a list field. */
export interface ListEntryOptions<Entry, Row = unknown> {
  /**
   * Key of an entry, stable across edits of others; null for a new entry. Without `key` the list is merged
   * as one value.
   */
  key?: (entry: Entry) => number | string | null
  title?: (entry: Entry) => ReactNode
  /** Text of an entry within `row`, which is an older or a newer state of the record. */
  text: (entry: Entry, row: Row) => ReactNode
}
export type AnyListEntryOptions = ListEntryOptions<never, never>

/** Settings that all fields of a form share. */
export interface FormScope {
  ns: Namespace
  readOnly: boolean
  /**
   * Display functions by field name, for fields whose value is not displayed as it is. Filled for views that
   * show values beside the fields.
   */
  displays?: Map<string, DisplayValue>
}

export const FormScopeContext = createContext<FormScope>({ ns: 'common', readOnly: false })
export const useFormScope = (): FormScope => useContext(FormScopeContext)
