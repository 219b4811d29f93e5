import Typography from '@mui/material/Typography'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Webhook, WebhookDelivery } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useRecordPage } from '~/kit/records/record-page-context'
import { columns } from '~/kit/table/columns'
import { ResourceTable } from '~/kit/table/resource-table'
import { useColumns } from '~/kit/table/use-columns'
import { useListState } from '~/kit/table/use-list-state'
import { EmptyState } from '~/kit/ui/empty-state'
import { webhooks } from './api'
import { DeliveryChip } from './delivery-chip'
import { EventName } from './event-name'
import { WebhookState } from './state'

/** Result of the last attempt: status, or the reason why there is none, and duration. */
function Answer({ row: { last_status, last_duration_ms, last_failure } }: { row: WebhookDelivery }) {
  const { t } = useTranslation('webhookDeliveries')
  const { decimal } = useFormat()
  const facts = [
    ...(last_status === null ? [] : [t('httpStatus', { status: last_status })]),
    ...(last_duration_ms === null ? [] : [t('duration', { ms: decimal(last_duration_ms) })]),
  ]
  return (
    <>
      {facts.join(' · ')}
      {last_failure && (
        <Typography variant="caption" color="error" component="p" sx={{ overflowWrap: 'anywhere', maxWidth: 360 }}>
          {last_failure}
        </Typography>
      )}
    </>
  )
}

const col = columns<WebhookDelivery>('webhookDeliveries')
const COLUMNS = [
  col.custom('event', ({ event }) => <EventName value={event} />, { sort: '' }),
  col.custom('status', ({ status }) => <DeliveryChip status={status} />, { sort: '' }),
  { ...col.instant('created_at'), sort: null },
  col.custom('subject', ({ subject }) => subject, { sort: '', card: false }),
  col.custom('last_status', (row) => <Answer row={row} />, { sort: '' }),
  { ...col.number('attempts', { card: false }), sort: null },
  { ...col.instant('next_attempt_at', { card: false }), sort: null },
]

/** Log of deliveries, newest first. */
export default function Deliveries() {
  const { t } = useTranslation('webhookDeliveries')
  const { row: owner } = useRecordPage<Webhook>()
  const list = useListState('webhookDeliveries', webhooks.deliverySpec)
  const choice = useColumns('webhookDeliveries', COLUMNS)
  const query = useQuery({ ...webhooks.deliveries(owner.id, list.state), placeholderData: keepPreviousData })
  return (
    <>
      <WebhookState row={owner} />
      <ResourceTable
        list={list}
        query={query}
        columns={COLUMNS}
        choice={choice}
        rowName={({ message_id }) => message_id}
        rowHref={({ id }) => String(id)}
        empty={
          <EmptyState icon={Send} title={t('empty.title')}>
            {t('empty.body')}
          </EmptyState>
        }
      />
    </>
  )
}
