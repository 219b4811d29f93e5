import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ExternalApi } from '~/api/schema'
import { externalApisItem } from '~/features/exchange/external-apis/screen'
import { useFormat } from '~/i18n/use-format'
import { TableCard } from '~/kit/ui/table-card'
import { useConfig } from '~/session/config'
import { useTenant } from '~/session/tenant'
import { feedsApi } from './api'
import { byLight, type Light } from './light-chip'
import { ConnectionRow, EmptySection, PageLink, ShownCount } from './section'

const LIGHTS: Record<ExternalApi['state']['status'], Light> = {
  unused: 'unused',
  ok: 'green',
  failing: 'broken',
  open: 'broken',
  inactive: 'inactive',
}

/** Returns the reason why the last scheduled fetch of the lists failed. */
const fetchFailure = ({ active, schedule, last_fetch }: ExternalApi) =>
  active && schedule && !schedule.paused ? (last_fetch?.failure ?? null) : null

const lightOf = (row: ExternalApi): Light => (fetchFailure(row) === null ? LIGHTS[row.state.status] : 'broken')

const worstFirst = (a: ExternalApi, b: ExternalApi) => byLight(lightOf(a), lightOf(b))

/** States of the external APIs, worst first. */
export function ExternalApis() {
  const { t } = useTranslation('feeds')
  const { tenantId } = useTenant()
  const query = useQuery(feedsApi.externalApis())
  const isAllTenants = tenantId === null
  return (
    <TableCard
      title={t('externalApis.title')}
      heads={[t('fields.light'), t('externalApis.address'), t('externalApis.lastSuccess')]}
      rows={query.data?.data}
      query={query}
      empty={
        <EmptySection
          title={t('externalApis.none')}
          action={!isAllTenants && <PageLink path={externalApisItem.path}>{t('externalApis.action')}</PageLink>}
        >
          {t(isAllTenants ? 'externalApis.bodyOfAll' : 'externalApis.body')}
        </EmptySection>
      }
      foot={<ShownCount page={query.data} />}
    >
      {(rows) => rows.toSorted(worstFirst).map((row) => <Row key={row.id} row={row} isAllTenants={isAllTenants} />)}
    </TableCard>
  )
}

function Row({ row, isAllTenants }: { row: ExternalApi; isAllTenants: boolean }) {
  const { t } = useTranslation('feeds')
  const { ago, weekdayTime } = useFormat()
  const { time_zone: zone } = useConfig()
  const { status, open_until, last_success_at, last_failure } = row.state
  const light = lightOf(row)
  const isCallFailing = LIGHTS[status] === 'broken'
  return (
    <ConnectionRow
      light={light}
      path={externalApisItem.path}
      name={new URL(row.base_url).host}
      tenant={isAllTenants && row.tenant}
      failure={isCallFailing && last_failure ? last_failure.text : fetchFailure(row)}
      facts={[[t('externalApis.lastSuccess'), last_success_at === null ? t('never') : ago(last_success_at)]]}
    >
      {status === 'open' && open_until && (
        <Typography variant="body2">{t('externalApis.openUntil', { at: weekdayTime(open_until, zone) })}</Typography>
      )}
    </ConnectionRow>
  )
}
