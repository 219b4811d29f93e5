import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Import } from '~/api/schema'
import { bell, isRunning, pollInterval } from '~/features/exchange/shared/running'
import { useFormat } from '~/i18n/use-format'
import { Card } from '~/kit/ui/card'
import { LoadFailed } from '~/kit/ui/load-failed'
import { keepTenant } from '~/session/tenant'
import { useCountsText } from './counts-text'
import { useImportName } from './import-name'
import { useImportable } from './may-import'
import { ImportProgress } from './progress'
import { ImportStatusChip } from './status-chip'

const DAYS = 7
const aWeekAgo = () => new Date(Date.now() - DAYS * 86_400_000).toISOString()

/** Running imports, and those of the last days that need attention. */
export function ImportsCard() {
  const { t } = useTranslation('imports')
  const { search } = useLocation()
  const [since] = useState(aWeekAgo)
  const { data, error, refetch } = useQuery({
    ...bell.open(since),
    refetchInterval: (query) => (query.state.data?.data.some(isRunning) ? pollInterval() : false),
  })
  const mayImport = useImportable().length > 0
  const to = (pathname: string) => ({ pathname, search: keepTenant(search) })
  return (
    <Card
      title={t('title.list')}
      action={
        mayImport && (
          <Button component={RouterLink} to={to('/imports/new')} size="small" variant="outlined" startIcon={<Upload size={16} />}>
            {t('actions.new')}
          </Button>
        )
      }
    >
      {error && !data ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={56} />
      ) : data.data.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('home.none', { days: DAYS })}
        </Typography>
      ) : (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
          {data.data.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </Box>
      )}
      <Link component={RouterLink} to={to('/imports')} variant="body2" sx={{ display: 'inline-block', mt: 2 }}>
        {t('home.all')}
      </Link>
    </Card>
  )
}

function Row({ row }: { row: Import }) {
  const name = useImportName()
  const counts = useCountsText()
  const format = useFormat()
  const { search } = useLocation()
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start' }}>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Link
          component={RouterLink}
          to={{ pathname: `/imports/${row.id}`, search: keepTenant(search) }}
          variant="body2"
          underline="hover"
          sx={{ fontWeight: 600 }}
        >
          {name(row)}
        </Link>
        <Typography variant="caption" color="textSecondary" component="div">
          {[row.upload_file, format.ago(row.updated_at), counts(row)].filter(Boolean).join(' · ')}
        </Typography>
        {isRunning(row) && (
          <Typography variant="caption" color="textSecondary" component="div">
            <ImportProgress row={row} unit />
          </Typography>
        )}
      </Box>
      <ImportStatusChip status={row.status} />
    </Box>
  )
}
