import Box from '@mui/material/Box'
import { Package } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Card } from '~/kit/ui/card'
import { EmptyState } from '~/kit/ui/empty-state'
import { FormErrors } from '~/kit/ui/form-errors'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Notice } from '~/kit/ui/notice'
import { RefusedRecords } from '~/kit/ui/refused-records'
import { Waiting } from '~/kit/ui/waiting'
import { Working } from '~/kit/ui/working'

const FAILURE = new Error('gallery')
const REFUSED = ['HEB 200', 'IPE 240']

/** Messages, and pages that are empty, loading or failed. */
export function States() {
  const { t } = useTranslation('gallery')
  return (
    <Card title={t('sections.states')}>
      <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
        <Notice tone="info">{t('tones.info')}</Notice>
        <Notice tone="warning">{t('tones.warning')}</Notice>
        <Notice tone="error">{t('tones.error')}</Notice>
        <FormErrors error={FAILURE} />
        <Working>{t('working')}</Working>
        <Waiting />
        <RefusedRecords records={REFUSED.map((name, at) => ({ id: at, name, messages: [t('refused')] }))} />
        <EmptyState icon={Package} title={t('empty.title')}>
          {t('empty.body')}
        </EmptyState>
        <LoadFailed error={FAILURE} retry={() => {}} />
      </Box>
    </Card>
  )
}
