import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Webhook } from '~/api/schema'
import { lightOf } from '~/features/exchange/webhooks/light'
import { webhook } from '~/features/exchange/webhooks/resource'
import { useFormat } from '~/i18n/use-format'
import { TableCard } from '~/kit/ui/table-card'
import { useTenant } from '~/session/tenant'
import { feedsApi } from './api'
import { byLight } from './light-chip'
import { ConnectionRow, EmptySection, PageLink, ShownCount } from './section'

const worstFirst = (a: Webhook, b: Webhook) => byLight(lightOf(a.state), lightOf(b.state))

/** States of the webhooks, worst first. */
export function Webhooks() {
  const { t } = useTranslation('feeds')
  const { tenantId } = useTenant()
  const query = useQuery(feedsApi.webhooks())
  const isAllTenants = tenantId === null
  return (
    <TableCard
      title={t('webhooks.title')}
      heads={[t('fields.light'), t('webhooks.receiver'), t('webhooks.lastSuccess'), t('webhooks.pending')]}
      rows={query.data?.data}
      query={query}
      empty={
        <EmptySection title={t('webhooks.none')} action={!isAllTenants && <PageLink path={webhook.path}>{t('webhooks.action')}</PageLink>}>
          {t(isAllTenants ? 'webhooks.bodyOfAll' : 'webhooks.body')}
        </EmptySection>
      }
      foot={<ShownCount page={query.data} />}
    >
      {(rows) => rows.toSorted(worstFirst).map((row) => <Row key={row.id} row={row} isAllTenants={isAllTenants} />)}
    </TableCard>
  )
}

function Row({ row, isAllTenants }: { row: Webhook; isAllTenants: boolean }) {
  const { t } = useTranslation('feeds')
  const { ago, decimal } = useFormat()
  const { pending, last_success_at, last_failure } = row.state
  const light = lightOf(row.state)
  return (
    <ConnectionRow
      light={light}
      path={`${webhook.path}/${row.id}`}
      name={webhook.title(row)}
      tenant={isAllTenants && row.tenant}
      failure={light === 'broken' || light === 'stopped' ? last_failure : null}
      facts={[
        [t('webhooks.lastSuccess'), last_success_at === null ? t('never') : ago(last_success_at)],
        [t('webhooks.pending'), decimal(pending)],
      ]}
    />
  )
}
