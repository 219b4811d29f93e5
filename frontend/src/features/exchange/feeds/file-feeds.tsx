import Box from '@mui/material/Box'
import TableCell from '@mui/material/TableCell'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FeedState } from '~/api/schema'
import { ftpSettingsItem } from '~/features/exchange/ftp-settings/screen'
import { importing } from '~/features/exchange/imports/resource'
import { useFormat } from '~/i18n/use-format'
import { NARROW, TableCard } from '~/kit/ui/table-card'
import { useConfig } from '~/session/config'
import { useTenant } from '~/session/tenant'
import { feedsApi } from './api'
import { LightChip } from './light-chip'
import { EmptySection, PageLink } from './section'

/** States of the fetched files, worst first. */
export function FileFeeds() {
  const { t } = useTranslation('feeds')
  const { tenantId } = useTenant()
  const query = useQuery(feedsApi.all())
  const isAllTenants = tenantId === null
  return (
    <TableCard
      title={t('board')}
      heads={[t('fields.light'), t('fields.file'), t('fields.arrived'), t('fields.expected'), t('fields.rows')]}
      rows={query.data?.data}
      query={query}
      empty={
        <EmptySection
          title={t('empty.title')}
          action={!isAllTenants && <PageLink path={ftpSettingsItem.path}>{t('empty.action')}</PageLink>}
        >
          {t(isAllTenants ? 'empty.bodyOfAll' : 'empty.body')}
        </EmptySection>
      }
    >
      {(feeds) => feeds.map((feed) => <Row key={`${feed.settings_id}.${feed.file}`} feed={feed} isAllTenants={isAllTenants} />)}
    </TableCard>
  )
}

function Row({ feed, isAllTenants }: { feed: FeedState; isAllTenants: boolean }) {
  const { t } = useTranslation('feeds')
  const { weekdayTime } = useFormat()
  const { time_zone: zone } = useConfig()
  const expected = feed.expected_by && weekdayTime(feed.expected_by, zone)
  return (
    <TableRow>
      <TableCell>
        <LightChip light={feed.light} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        <PageLink path={ftpSettingsItem.path} {...(isAllTenants && { tenant: feed.tenant.id })}>
          {t(`files.${feed.file}`)}
        </PageLink>
        {isAllTenants && <Typography variant="body2">{feed.tenant.company}</Typography>}
        <Typography variant="caption" color="textSecondary" component="p">
          {feed.host}
        </Typography>
        {feed.light === 'late' && expected && (
          <Typography variant="body2" color="warning">
            {t('late', { at: expected })}
          </Typography>
        )}
        {feed.reason && (
          <Typography variant="body2" color="error">
            {feed.reason}
          </Typography>
        )}
        <Box sx={{ display: { md: 'none' }, mt: 0.5 }}>
          <ArrivalCell feed={feed} />
          <Rows feed={feed} isAllTenants={isAllTenants} />
        </Box>
      </TableCell>
      <TableCell sx={{ ...NARROW, overflowWrap: 'anywhere' }}>
        <ArrivalCell feed={feed} />
      </TableCell>
      <TableCell sx={NARROW}>{expected ?? t('paused')}</TableCell>
      <TableCell sx={NARROW}>
        <Rows feed={feed} isAllTenants={isAllTenants} />
      </TableCell>
    </TableRow>
  )
}

function ArrivalCell({ feed: { arrived_at, file_name } }: { feed: FeedState }) {
  const { t } = useTranslation('feeds')
  const { ago } = useFormat()
  if (!arrived_at) return t('never')
  return (
    <>
      {ago(arrived_at)}
      <Typography variant="caption" color="textSecondary" component="p">
        {file_name}
      </Typography>
    </>
  )
}

/** Rows of the last import compared with the usual number, and rows that wait for a decision. */
function Rows({ feed: { rows, tenant }, isAllTenants }: { feed: FeedState; isAllTenants: boolean }) {
  const { t } = useTranslation('feeds')
  const { decimal } = useFormat()
  if (!rows) return null
  const { total, usual, refused, waiting } = rows
  const unprocessedTexts = [
    ...(refused > 0 ? [t('rows.refused', { count: refused, shown: decimal(refused) })] : []),
    ...(waiting > 0 ? [t('rows.waiting', { count: waiting, shown: decimal(waiting) })] : []),
  ]
  return (
    <>
      <PageLink path={`${importing.path}/${rows.import_id}`} {...(isAllTenants && { tenant: tenant.id })}>
        {t('rows.total', { count: total, shown: decimal(total) })}
      </PageLink>
      {usual !== null && (
        <Typography variant="caption" color="textSecondary" component="p">
          {t('rows.usual', { shown: decimal(usual) })}
        </Typography>
      )}
      {unprocessedTexts.length > 0 && (
        <Typography variant="caption" color="warning" component="p">
          {unprocessedTexts.join(', ')}
        </Typography>
      )}
    </>
  )
}
