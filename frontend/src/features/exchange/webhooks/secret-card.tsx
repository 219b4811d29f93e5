import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'

const RotateDialog = lazyWithTexts(() => import('./rotate-dialog'))

/** Secret that deliveries are signed with; it can be rotated but never shown. */
export function SecretCard({ row }: { row: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { dateTime } = useFormat()
  const [isRotating, setRotating] = useState(false)
  const until = row.previous_secret_until
  return (
    <Card title={t('secret.title')} intro={t('secret.intro')}>
      <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
        {until && Date.parse(until) > Date.now() && (
          <Alert severity="info" role="note">
            {t('secret.overlap', { until: dateTime(until) })}
          </Alert>
        )}
        <Button variant="outlined" color="inherit" onClick={() => setRotating(true)}>
          {t('rotate.action')}
        </Button>
      </Box>
      <Suspense fallback={null}>{isRotating && <RotateDialog row={row} onClose={() => setRotating(false)} />}</Suspense>
    </Card>
  )
}
