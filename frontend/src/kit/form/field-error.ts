import type { FieldError } from 'react-hook-form'
import { useTranslation } from 'react-i18next'

type Translate = (key: string, params: Record<string, unknown>) => string

/** Text of a field's error: the server's as it is, ours from `validation` in the language of now. */
export function useFieldError(error: Pick<FieldError, 'type' | 'message'> | undefined): string | null {
  const { t } = useTranslation()
  if (!error) return null
  if (error.type === 'server') return error.message ?? null
  const [key = 'invalid', query] = (error.message || 'invalid').split('?')
  const params: Record<string, unknown> = Object.fromEntries(new URLSearchParams(query))
  return (t as unknown as Translate)(`validation.${key}`, params)
}
