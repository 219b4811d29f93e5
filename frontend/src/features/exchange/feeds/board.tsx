import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Radio } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { FeedState } from '~/api/schema'
import { ftpSettingsItem } from '~/features/exchange/ftp-settings/screen'
import { importing } from '~/features/exchange/imports/resource'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useConfig } from '~/session/config'
import { useTenant } from '~/session/tenant'
import { feedsApi } from './api'
import { LightChip } from './light-chip'

const NARROW = { display: { xs: 'none', md: 'table-cell' } } as const

/** The state of each file that is fetched: the worst first, each with a link to where it is mended. */
export default function FeedBoard() {
  const { t } = useTranslation('feeds')
  const { tenantId } = useTenant()
  const { data, error, refetch, isFetching } = useQuery(feedsApi.all())
  const feeds = data?.data
  const isOfAll = tenantId === null
  return (
    <Page title={t('title.list')} intro={t(isOfAll ? 'introOfAll' : 'intro')}>
      {error && !feeds ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !feeds ? (
        <Waiting />
      ) : feeds.length === 0 ? (
        <EmptyState icon={Radio} title={t('empty.title')} action={!isOfAll && <SettingsLink>{t('empty.action')}</SettingsLink>}>
          {t(isOfAll ? 'empty.bodyOfAll' : 'empty.body')}
        </EmptyState>
      ) : (
        <Card title={t('board')}>
          <Table size="small" aria-label={t('board')} sx={{ '& td, & th': { px: 1, verticalAlign: 'top' } }}>
            <TableHead>
              <TableRow>
                <TableCell>{t('fields.light')}</TableCell>
                <TableCell>{t('fields.file')}</TableCell>
                <TableCell sx={NARROW}>{t('fields.arrived')}</TableCell>
                <TableCell sx={NARROW}>{t('fields.expected')}</TableCell>
                <TableCell sx={NARROW}>{t('fields.rows')}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {feeds.map((feed) => (
                <Row key={`${feed.settings_id}.${feed.file}`} feed={feed} isOfAll={isOfAll} />
              ))}
            </TableBody>
          </Table>
        </Card>
      )}
    </Page>
  )
}

function SettingsLink({ tenant, children }: { tenant?: number; children: string }) {
  const search = tenant === undefined ? '' : `?tenantId=${tenant}`
  return (
    <Link component={RouterLink} to={{ pathname: ftpSettingsItem.path, search }}>
      {children}
    </Link>
  )
}

function Row({ feed, isOfAll }: { feed: FeedState; isOfAll: boolean }) {
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
        <SettingsLink {...(isOfAll && { tenant: feed.tenant.id })}>{t(`files.${feed.file}`)}</SettingsLink>
        {isOfAll && <Typography variant="body2">{feed.tenant.company}</Typography>}
        <Typography variant="caption" color="textSecondary" component="p">
          {feed.host}
        </Typography>
        {feed.light === 'late' && expected && (
          <Typography variant="body2" color="warning.main">
            {t('late', { at: expected })}
          </Typography>
        )}
        {feed.reason && (
          <Typography variant="body2" color="error">
            {feed.reason}
          </Typography>
        )}
        <Box sx={{ display: { md: 'none' }, mt: 0.5 }}>
          <Arrived feed={feed} />
          <Rows feed={feed} isOfAll={isOfAll} />
        </Box>
      </TableCell>
      <TableCell sx={{ ...NARROW, overflowWrap: 'anywhere' }}>
        <Arrived feed={feed} />
      </TableCell>
      <TableCell sx={NARROW}>{expected ?? t('paused')}</TableCell>
      <TableCell sx={NARROW}>
        <Rows feed={feed} isOfAll={isOfAll} />
      </TableCell>
    </TableRow>
  )
}

function Arrived({ feed: { arrived_at, file_name } }: { feed: FeedState }) {
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

/** The rows of the last import beside the usual number, and those that wait for a person. */
function Rows({ feed: { rows, tenant }, isOfAll }: { feed: FeedState; isOfAll: boolean }) {
  const { t } = useTranslation('feeds')
  const { decimal } = useFormat()
  if (!rows) return null
  const { total, usual, refused, waiting } = rows
  const left = [
    ...(refused > 0 ? [t('rows.refused', { count: refused, shown: decimal(refused) })] : []),
    ...(waiting > 0 ? [t('rows.waiting', { count: waiting, shown: decimal(waiting) })] : []),
  ]
  const search = isOfAll ? `?tenantId=${tenant.id}` : ''
  return (
    <>
      <Link component={RouterLink} to={{ pathname: `${importing.path}/${rows.import_id}`, search }}>
        {t('rows.total', { count: total, shown: decimal(total) })}
      </Link>
      {usual !== null && (
        <Typography variant="caption" color="textSecondary" component="p">
          {t('rows.usual', { shown: decimal(usual) })}
        </Typography>
      )}
      {left.length > 0 && (
        <Typography variant="caption" color="warning.main" component="p">
          {left.join(', ')}
        </Typography>
      )}
    </>
  )
}
