import { createContext, type ReactNode, useContext } from 'react'
import type { Namespace } from '~/i18n/namespaces'

/** How people read a field's value; nothing where there is none. */
export type Reading = (value: never) => ReactNode

/** What every field of a form shares. */
export interface FormScope {
  ns: Namespace
  readOnly: boolean
  /** By field, where people read something else than the value itself; kept for who shows values beside the fields. */
  readings?: Map<string, Reading>
}

export const FormScopeContext = createContext<FormScope>({ ns: 'common', readOnly: false })
export const useFormScope = (): FormScope => useContext(FormScopeContext)
