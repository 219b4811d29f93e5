import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import Skeleton from '@mui/material/Skeleton'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { ListTree } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation } from 'react-router'
import type { Import, ImportRow, ImportRowOutcome } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { LoadFailed } from '~/kit/feedback/load-failed'
import { Changes } from '~/kit/history/changes'
import { useRecords } from '~/kit/history/record'
import { keepTenant } from '~/session/tenant'
import { imports } from './api'
import { Pages } from './detail-errors'

/** What has records, in the order in which one looks at it. */
const SHOWN = ['updated', 'created', 'removed', 'held', 'unchanged'] as const satisfies readonly ImportRowOutcome[]

/** The rows by what became of them, with the fields before and after; asked for, because most people need the counts only. */
export default function ResultRows({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const headline = useId()
  const found = SHOWN.filter((outcome) => row[`rows_${outcome}`] > 0)
  const [chosen, setChosen] = useState<(typeof SHOWN)[number] | null>(null)
  const [first] = found
  if (!first) return null
  if (!chosen)
    return (
      <Box>
        <Button color="inherit" variant="outlined" startIcon={<ListTree size={18} />} onClick={() => setChosen(first)}>
          {t('rows.show')}
        </Button>
      </Box>
    )
  return (
    <Box component="section" aria-labelledby={headline}>
      <Typography variant="h3" id={headline} sx={{ mb: 1 }}>
        {t('rows.title')}
      </Typography>
      <Stack direction="row" useFlexGap role="group" aria-labelledby={headline} sx={{ flexWrap: 'wrap', gap: 1, mb: 1.5 }}>
        {found.map((outcome) => (
          <Outcome key={outcome} row={row} outcome={outcome} chosen={chosen === outcome} onChoose={() => setChosen(outcome)} />
        ))}
      </Stack>
      <Rows key={chosen} id={row.id} outcome={chosen} labelledBy={headline} />
    </Box>
  )
}

interface OutcomeProps {
  row: Import
  outcome: (typeof SHOWN)[number]
  chosen: boolean
  onChoose: () => void
}

function Outcome({ row, outcome, chosen, onChoose }: OutcomeProps) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const label = t(row.dry_run ? `dryRun.counts.${outcome}` : `fields.rows_${outcome}`)
  return (
    <Chip
      label={`${label}: ${format.decimal(row[`rows_${outcome}`])}`}
      color={chosen ? 'primary' : 'default'}
      variant={chosen ? 'filled' : 'outlined'}
      aria-pressed={chosen}
      onClick={onChoose}
    />
  )
}

function Rows({ id, outcome, labelledBy }: { id: number; outcome: ImportRowOutcome; labelledBy: string }) {
  const { t } = useTranslation('imports')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useQuery(imports.rows(id, page, [outcome]))
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={160} />
  if (data.meta.total === 0) return <Typography color="textSecondary">{t('rows.forgotten')}</Typography>
  return (
    <TableContainer
      sx={{ border: 1, borderColor: 'divider', borderRadius: 1, opacity: isPlaceholderData ? 0.55 : 1 }}
      aria-busy={isPlaceholderData}
    >
      <Table size="small" aria-labelledby={labelledBy}>
        <TableHead>
          <TableRow>
            <TableCell align="right">{t('errors.line')}</TableCell>
            <TableCell>{t('rows.record')}</TableCell>
            <TableCell>{t('rows.changes')}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody sx={{ '& tr:last-of-type > *': { borderBottom: 0 } }}>
          {data.data.map((row) => (
            <Row key={row.line} row={row} />
          ))}
        </TableBody>
      </Table>
      {data.meta.last_page > 1 && <Pages label={t('rows.pages')} meta={data.meta} onPage={setPage} />}
    </TableContainer>
  )
}

function Row({ row }: { row: ImportRow }) {
  const format = useFormat()
  const records = useRecords()
  const { search } = useLocation()
  // of what has gone whole nothing is left afterwards
  const gone = row.outcome === 'removed' && row.changes.every(({ to }) => to === null)
  const path = gone ? null : records.path(row.record, row.record_id)
  return (
    <TableRow sx={{ verticalAlign: 'top' }}>
      <TableCell component="th" scope="row" align="right" sx={{ fontWeight: 600 }}>
        {format.decimal(row.line)}
      </TableCell>
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        {path ? (
          <Link component={RouterLink} to={{ pathname: path, search: keepTenant(search) }}>
            {row.record_name}
          </Link>
        ) : (
          row.record_name
        )}
      </TableCell>
      <TableCell>
        <Changes entry={row} />
      </TableCell>
    </TableRow>
  )
}
