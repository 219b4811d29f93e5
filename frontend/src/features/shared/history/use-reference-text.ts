import { useTranslation } from 'react-i18next'
import type { AuditedReference } from '~/api/schema'

/** What is referred to: its name, the platform for one of its people whom one may not see, otherwise its number for what is gone. */
export function useReferenceText(): (reference: AuditedReference) => string {
  const { t } = useTranslation('audit')
  return ({ id, name, platform }) => name ?? (platform ? t('platform') : t('gone', { id }))
}
