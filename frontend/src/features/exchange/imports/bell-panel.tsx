import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useInfiniteQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Import } from '~/api/schema'
import { bell, isRunning, processedRows } from '~/features/exchange/shared/running'
import { useFormat } from '~/i18n/use-format'
import { BusyButton } from '~/kit/ui/busy-button'
import { LoadFailed } from '~/kit/ui/load-failed'
import { useMe } from '~/session/me'
import { keepTenant } from '~/session/tenant'
import { useCountsText } from './counts-text'
import { ImportMarks } from './import-marks'
import { useImportName } from './import-name'
import { ImportStatusChip } from './status-chip'

interface Props {
  /** Number of imports that have changed since the panel was last open. */
  count: number
  /** Time at which the panel was last closed. */
  closedAt: string | null
  onSeen: () => void
  onClose: () => void
}

/** Panel of the bell with the latest imports. */
export default function BellPanel({ count, closedAt, onSeen, onClose }: Props) {
  const { t } = useTranslation('shell')
  const { search } = useLocation()
  // the bell itself runs the query
  const list = useInfiniteQuery({ ...bell.list(), enabled: false })
  // finished dry runs are no news
  const rows = list.data?.pages.flatMap((page) => page.data).filter((row) => !row.dry_run || isRunning(row)) ?? []
  return (
    <>
      <Stack
        direction="row"
        sx={{ alignItems: 'center', justifyContent: 'space-between', px: 2, py: 1.5, borderBottom: 1, borderColor: 'divider' }}
      >
        <Typography variant="h3" component="h2">
          {t('imports.title')}
        </Typography>
        <Button size="small" startIcon={<CheckCheck size={16} />} onClick={onSeen} disabled={count === 0}>
          {t('imports.markSeen')}
        </Button>
      </Stack>
      <Box sx={{ maxHeight: 'min(480px, 65vh)', overflowY: 'auto' }} aria-busy={list.isFetching}>
        {list.isPending ? (
          <BellSkeleton />
        ) : list.isError && rows.length === 0 ? (
          <LoadFailed error={list.error} retry={() => void list.refetch()} />
        ) : rows.length === 0 && !list.hasNextPage ? (
          <Typography variant="body2" color="textSecondary" sx={{ p: 3, textAlign: 'center' }}>
            {t('imports.none')}
          </Typography>
        ) : (
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {rows.map((row) => (
              <BellRow key={row.id} row={row} unread={closedAt === null || row.updated_at > closedAt} onOpen={onClose} />
            ))}
          </Box>
        )}
        {list.hasNextPage && (
          <BusyButton fullWidth onClick={() => void list.fetchNextPage()} busy={list.isFetchingNextPage} sx={{ borderRadius: 0, py: 1.25 }}>
            {t('imports.more')}
          </BusyButton>
        )}
      </Box>
      <Button
        component={RouterLink}
        to={{ pathname: '/imports', search: keepTenant(search) }}
        onClick={onClose}
        fullWidth
        sx={{ borderRadius: 0, py: 1.25, borderTop: 1, borderColor: 'divider' }}
      >
        {t('imports.all')}
      </Button>
    </>
  )
}

function BellRow({ row, unread, onOpen }: { row: Import; unread: boolean; onOpen: () => void }) {
  const counts = useCountsText()
  const name = useImportName()
  const format = useFormat()
  const me = useMe()
  const { search } = useLocation()
  return (
    <Box
      component="li"
      sx={{
        px: 2,
        py: 1.5,
        borderBottom: 1,
        borderColor: 'divider',
        '&:last-child': { borderBottom: 0 },
        bgcolor: unread ? 'action.hover' : undefined,
      }}
    >
      <Stack direction="row" spacing={1} sx={{ alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Link
            component={RouterLink}
            to={{ pathname: `/imports/${row.id}`, search: keepTenant(search) }}
            onClick={onOpen}
            variant="body2"
            color="textPrimary"
            underline="hover"
            sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}
          >
            {name(row)}
          </Link>
          <Typography variant="caption" color="textSecondary" component="div" sx={{ overflowWrap: 'anywhere' }}>
            {`${row.upload_file} · `}
            {me.tenant_id === null ? `${row.tenant.company} · ` : ''}
            <time dateTime={row.updated_at} title={format.dateTime(row.updated_at)}>
              {format.ago(row.updated_at)}
            </time>
            {row.status === 'InProgress' &&
              row.rows_total !== null &&
              ` · ${format.decimal(processedRows(row))} / ${format.decimal(row.rows_total)}`}
          </Typography>
          {counts(row) && (
            <Typography variant="caption" color="textSecondary" component="div">
              {counts(row)}
            </Typography>
          )}
          {row.status_message && (
            <Typography
              variant="caption"
              color="textSecondary"
              component="div"
              sx={{ overflowWrap: 'anywhere', display: '-webkit-box', WebkitLineClamp: 3, WebkitBoxOrient: 'vertical', overflow: 'hidden' }}
            >
              {row.status_message}
            </Typography>
          )}
        </Box>
        <Stack sx={{ gap: 0.5, alignItems: 'flex-end' }}>
          <ImportStatusChip status={row.status} />
          <ImportMarks row={row} />
        </Stack>
      </Stack>
    </Box>
  )
}

function BellSkeleton() {
  return (
    <Stack>
      {[0, 1, 2, 3, 4].map((at) => (
        <Box key={at} sx={{ px: 2, py: 1.5 }}>
          <Skeleton width={`${55 + at * 7}%`} />
          <Skeleton width="35%" height={14} />
        </Box>
      ))}
    </Stack>
  )
}
