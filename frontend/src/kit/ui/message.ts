import type { TFunction } from 'i18next'

export interface Message {
  type?: string | undefined
  message?: string | undefined
}

type Translate = (key: string, params: Record<string, unknown>) => string

/**
 * Returns the text of an error: the server's text unchanged, our own from `validation` (or
 * `<namespace>:<key>`) in the current language.
 */
export function messageText({ type, message }: Message, t: TFunction<'common'>): string | null {
  if (type === 'server') return message ?? null
  const [key = 'invalid', query] = (message || 'invalid').split('?')
  const params: Record<string, unknown> = Object.fromEntries(new URLSearchParams(query))
  return (t as unknown as Translate)(key.includes(':') ? key : `validation.${key}`, params)
}
