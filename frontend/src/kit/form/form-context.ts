import { createContext, useContext } from 'react'
import type { Namespace } from '~/i18n/namespaces'

/** What every field of a form shares. */
export interface FormScope {
  ns: Namespace
  readOnly: boolean
}

export const FormScopeContext = createContext<FormScope>({ ns: 'common', readOnly: false })
export const useFormScope = (): FormScope => useContext(FormScopeContext)
