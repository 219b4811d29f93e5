import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Namespace } from './namespaces'

type Translate = (key: string, params?: Record<string, unknown>) => string

/**
 * Texts that every resource names by the same convention: fields.<name>, enums.<name>.<value>,
 * title.<which>. Their keys are composed by the kit and cannot be literal types; the i18n test checks them
 * instead.
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
