import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import type { ImportRow } from '~/api/schema'
import { FieldChanges } from '~/features/shared/history/changes'
import { useRecordKinds } from '~/features/shared/history/record'
import { LoadFailed } from '~/kit/ui/load-failed'
import { useAddressParams } from '~/lib/address-params'
import { imports } from './api'
import { Pages } from './pages'
import { GROUP_PARAM, type Group, groups, UNDO_RESULT_GROUPS } from './undone-groups'

const TONE: Partial<Record<ImportRow['outcome'], 'success' | 'warning' | 'error'>> = {
  created: 'success',
  updated: 'success',
  removed: 'success',
  kept: 'warning',
  refused: 'error',
}

/** Results of an undo for each record, actual or expected. */
export default function UndoneRows({ id }: { id: number }) {
  const { t } = useTranslation('imports')
  const headline = useId()
  const [params, changeParams] = useAddressParams()
  const group = groups.find((value) => value === params.get(GROUP_PARAM)) ?? null
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useQuery(imports.rows(id, page, group ? UNDO_RESULT_GROUPS[group] : []))
  const choose = (chosen: Group | 'all') => {
    setPage(1)
    changeParams((next) => (chosen === 'all' ? next.delete(GROUP_PARAM) : next.set(GROUP_PARAM, chosen)), { replace: true })
  }
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={160} />
  return (
    <Box component="section" aria-labelledby={headline}>
      <Typography variant="h3" id={headline} sx={{ mb: 1 }}>
        {t('undo.rows.title')}
      </Typography>
      <ToggleButtonGroup
        size="small"
        exclusive
        value={group ?? 'all'}
        aria-label={t('undo.rows.filter')}
        onChange={(_, chosen: Group | 'all' | null) => chosen && choose(chosen)}
        sx={{ mb: 1.5, flexWrap: 'wrap' }}
      >
        {(['all', ...groups] as const).map((option) => (
          <ToggleButton key={option} value={option} sx={{ textTransform: 'none' }}>
            {t(`undo.rows.${option}`)}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <TableContainer
        sx={{ border: 1, borderColor: 'divider', borderRadius: 1, opacity: isPlaceholderData ? 0.55 : 1 }}
        aria-busy={isPlaceholderData}
      >
        <Table size="small" aria-labelledby={headline}>
          <TableHead>
            <TableRow>
              <TableCell>{t('undo.rows.record')}</TableCell>
              <TableCell>{t('undo.rows.outcome')}</TableCell>
              <TableCell>{t('undo.rows.change')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody sx={{ '& tr:last-of-type > *': { borderBottom: 0 } }}>
            {data.data.map((row) => (
              <Row key={row.line} row={row} />
            ))}
            {data.data.length === 0 && (
              <TableRow>
                <TableCell colSpan={3} sx={{ color: 'text.secondary' }}>
                  {t('undo.rows.none')}
                </TableCell>
              </TableRow>
            )}
          </TableBody>
        </Table>
        {data.meta.last_page > 1 && <Pages label={t('undo.rows.pages')} meta={data.meta} onPage={setPage} />}
      </TableContainer>
    </Box>
  )
}

function Row({ row }: { row: ImportRow }) {
  const { t } = useTranslation('imports')
  const path = useRecordKinds().path(row.record, row.outcome === 'removed' ? null : row.record_id)
  return (
    <TableRow sx={{ verticalAlign: 'top' }}>
      <TableCell component="th" scope="row" sx={{ overflowWrap: 'anywhere' }}>
        {path ? (
          <Link component={RouterLink} to={path}>
            {row.record_name}
          </Link>
        ) : (
          row.record_name
        )}
      </TableCell>
      <TableCell>
        <Chip size="small" variant="outlined" color={TONE[row.outcome] ?? 'default'} label={t(`undo.outcomes.${row.outcome}`)} />
      </TableCell>
      <TableCell sx={{ overflowWrap: 'break-word' }}>
        {row.warnings.map(({ column, message }) => (
          <div key={`${column} ${message}`}>{column === null ? message : `${column}: ${message}`}</div>
        ))}
        {row.outcome === 'updated' && <FieldChanges entry={row} />}
      </TableCell>
    </TableRow>
  )
}
