import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Namespace } from './namespaces'

type Translate = (key: string, params?: Record<string, unknown>) => string

/**
 * Texts that every resource names in the same way: fields.<name>, enums.<name>.<value>, title.<which>.
 * The kit asks for them by convention, so their keys cannot be literal types here; the i18n test checks them instead.
 */
export function useLabels(ns: Namespace) {
  const { t: typed } = useTranslation(ns)
  return useMemo(() => {
    const t = typed as unknown as Translate
    return {
      field: (name: string) => t(`fields.${name}`),
      help: (name: string) => t(`help.${name}`, { defaultValue: '' }),
      enum: (name: string, value: string) => t(`enums.${name}.${value}`),
      text: (key: string, params?: Record<string, unknown>) => t(key, params ?? {}),
    }
  }, [typed])
}
