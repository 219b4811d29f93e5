import { Building2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from './empty-state'

export function TenantRequired() {
  const { t } = useTranslation('shell')
  return (
    <EmptyState page icon={Building2} title={t('tenant.required')}>
      {t('tenant.requiredHint')}
    </EmptyState>
  )
}
