import Typography from '@mui/material/Typography'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '~/api/schema'
import { LightChip } from '~/features/exchange/feeds/light-chip'
import { useFormat } from '~/i18n/use-format'
import { RecordPage } from '~/kit/records/record-page'
import { webhooks } from './api'
import { lightOf } from './light'
import { webhook } from './resource'

function State({ row }: { row: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { ago, decimal } = useFormat()
  const { pending, last_success_at } = row.state
  const facts = [
    ...(pending > 0 ? [t('pendingCount', { count: pending, shown: decimal(pending) })] : []),
    last_success_at ? t('lastSuccess', { when: ago(last_success_at) }) : t('noSuccess'),
  ]
  return (
    <>
      <LightChip light={lightOf(row.state)} />
      <Typography variant="body2">{facts.join(' · ')}</Typography>
    </>
  )
}

export default function WebhookPage() {
  return <RecordPage resource={webhook} api={webhooks} retype state={(row) => <State row={row} />} />
}
