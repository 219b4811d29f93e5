import Box from '@mui/material/Box'
import { Building2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '~/kit/ui/empty-state'

/** Page for a screen that needs a tenant, with the field to choose one. */
export function TenantRequired({ chooser }: { chooser: ReactNode }) {
  const { t } = useTranslation('shell')
  return (
    <EmptyState page icon={Building2} title={t('tenant.required')} action={<Box sx={{ textAlign: 'start' }}>{chooser}</Box>}>
      {t('tenant.requiredHint')}
    </EmptyState>
  )
}
