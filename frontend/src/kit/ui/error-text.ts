import type { TFunction } from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '~/api/errors'

/** Returns one sentence for an error: the server's text, if there is one. */
export function errorText(t: TFunction<'common'>, error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.unexpected')
  if (error.kind === 'timeout') return t('errors.timeout')
  if (error.kind === 'network') return t('errors.network')
  if (error.kind === 'aborted') return t('errors.aborted')
  if (error.message) return error.message
  if (error.status === 403) return t('errors.forbidden')
  if (error.status === 404) return t('errors.notFound')
  if (error.status >= 500) return t('errors.unexpected')
  return t('errors.status', { status: error.status })
}

export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation()
  return useCallback((error) => errorText(t, error), [t])
}
