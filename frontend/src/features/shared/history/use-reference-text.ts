import { useTranslation } from 'react-i18next'
import type { AuditedReference } from '~/api/schema'

/**
 * Formats a reference: its name, "platform" for a user of the platform whose name is hidden, or its id if
 * the record is gone.
 */
export function useReferenceText(): (reference: AuditedReference) => string {
  const { t } = useTranslation('audit')
  return ({ id, name, platform }) => name ?? (platform ? t('platform') : t('gone', { id }))
}
