import Alert from '@mui/material/Alert'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '~/api/schema'
import { LightChip } from '~/features/exchange/feeds/light-chip'
import { useFormat } from '~/i18n/use-format'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { webhooks } from './api'
import { eventKey } from './event-name'
import { lightOf } from './light'
import { webhook } from './resource'

function Events({ row }: { row: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { list } = useFormat()
  return list(row.events.map((event) => t(`events.${eventKey(event)}.name`)))
}

function LastSuccess({ row: { state } }: { row: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { ago } = useFormat()
  return state.last_success_at === null ? t('never') : ago(state.last_success_at)
}

function Pending({ row: { state } }: { row: Webhook }) {
  const { decimal } = useFormat()
  return decimal(state.pending)
}

const col = columns<Webhook>('webhooks')
const COLUMNS = [
  { ...col.text('url'), sort: null },
  col.custom('status', (row) => <LightChip light={lightOf(row.state)} />, { sort: '' }),
  col.custom('pending', (row) => <Pending row={row} />, { sort: '', align: 'right' }),
  col.custom('last_success_at', (row) => <LastSuccess row={row} />, { sort: '' }),
  col.custom('events', (row) => <Events row={row} />, { sort: '', card: false }),
  col.instant('updated_at', { optional: true }),
]

export default function WebhookList() {
  const { t } = useTranslation('webhooks')
  const { data: options } = useQuery(webhooks.options())
  const lacksKey = options?.secrets_available === false
  return (
    <ResourceList resource={webhook} api={webhooks} columns={COLUMNS} retype {...(lacksKey && { creatable: false })}>
      {lacksKey && <Alert severity="warning">{t('secret.noKey')}</Alert>}
    </ResourceList>
  )
}
