import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableContainer from '@mui/material/TableContainer'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { PencilLine } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Import, Meta, RefusedRow } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { LoadFailed } from '~/kit/ui/load-failed'
import { imports } from './api'
import { CorrectRows } from './correct-rows'
import { holdsTable, isOfList, useMayImport } from './may-import'
import { Pages } from './pages'

/** Refused rows in the order of the file, with all errors of each. */
export function RefusedRows({ row }: { row: Import }) {
  const { id, dry_run, status, rows_refused, rows_unresolved } = row
  const { t } = useTranslation('imports')
  const [page, setPage] = useState(1)
  const [isCorrecting, setIsCorrecting] = useState(false)
  const mayImport = useMayImport(row.type)
  const correctable = mayImport && !dry_run && row.undoes === null && holdsTable(row.type) && !isOfList(row.type) && row.files_kept
  const { data, error, refetch, isPlaceholderData } = useQuery(imports.errors(id, page))
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={160} />
  return (
    <Rows
      action={
        correctable &&
        !isCorrecting && (
          <Button variant="outlined" startIcon={<PencilLine size={18} />} onClick={() => setIsCorrecting(true)}>
            {t('correct.action')}
          </Button>
        )
      }
      instead={isCorrecting ? <CorrectRows key={page} row={row} rows={data.data} onClose={() => setIsCorrecting(false)} /> : null}
      title={[
        ...(rows_refused > 0 ? [t('errors.title', { count: rows_refused })] : []),
        ...(rows_unresolved > 0 ? [t('errors.unmatched', { count: rows_unresolved })] : []),
      ].join(' · ')}
      hint={t(
        rows_refused === 0
          ? 'errors.unmatchedHint'
          : !dry_run
            ? 'errors.hint'
            : status === 'Failed'
              ? 'errors.dryHintFailed'
              : 'errors.dryHint',
      )}
      rowsLabel={t('errors.message')}
      pages={t('errors.pages')}
      rows={data.data}
      meta={data.meta}
      busy={isPlaceholderData}
      onPage={setPage}
    />
  )
}

/** Accepted rows with warnings, or those that wait for a release; renders nothing if there are none. */
export function WarnedRows({ id, underReview = false }: { id: number; underReview?: boolean }) {
  const { t } = useTranslation('imports')
  const [page, setPage] = useState(1)
  const { data, error, refetch, isPlaceholderData } = useQuery(imports.warnings(id, page, underReview))
  const section = underReview ? 'held' : 'warnings'
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data || data.meta.total === 0) return null
  return (
    <Rows
      title={t(`${section}.title`, { count: data.meta.total })}
      hint={t(`${section}.hint`)}
      rowsLabel={t(`${section}.message`)}
      pages={t(`${section}.pages`)}
      rows={data.data.map(({ line, warnings }) => ({ line, errors: warnings }))}
      meta={data.meta}
      busy={isPlaceholderData}
      onPage={setPage}
    />
  )
}

/** Row with its errors or warnings. */
type ReportedRow = Pick<RefusedRow, 'line' | 'errors'>

interface RowsProps {
  title: string
  hint: string
  rowsLabel: string
  pages: string
  rows: ReportedRow[]
  meta: Meta
  busy: boolean
  onPage: (page: number) => void
  action?: ReactNode
  /** Content shown instead of the table. */
  instead?: ReactNode
}

function Rows({ title, hint, rowsLabel, pages, rows, meta, busy, onPage, action = null, instead = null }: RowsProps) {
  const { t } = useTranslation('imports')
  const headline = useId()
  return (
    <Box component="section" aria-labelledby={headline}>
      <Typography variant="h3" id={headline}>
        {title}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, mb: 1.5, textWrap: 'pretty' }}>
        {hint}
      </Typography>
      {action && <Box sx={{ mb: 1.5 }}>{action}</Box>}
      {instead ?? (
        <TableContainer sx={{ border: 1, borderColor: 'divider', borderRadius: 1, opacity: busy ? 0.55 : 1 }} aria-busy={busy}>
          <Table size="small" aria-labelledby={headline}>
            <TableHead>
              <TableRow>
                <TableCell align="right">{t('errors.line')}</TableCell>
                <TableCell>{t('errors.column')}</TableCell>
                <TableCell>{rowsLabel}</TableCell>
              </TableRow>
            </TableHead>
            <TableBody sx={{ '& tr:last-of-type > *': { borderBottom: 0 } }}>
              {rows.map((row) => (
                <Row key={row.line} row={row} />
              ))}
            </TableBody>
          </Table>
          {meta.last_page > 1 && <Pages label={pages} meta={meta} onPage={onPage} />}
        </TableContainer>
      )}
    </Box>
  )
}

function Row({ row: { line, errors } }: { row: ReportedRow }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  return errors.map(({ column, message }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the faults of a row never change
    <TableRow key={at} sx={{ verticalAlign: 'top', ...(at < errors.length - 1 && { '& > td': { borderBottom: 0, pb: 0 } }) }}>
      {at === 0 && (
        <TableCell component="th" scope="row" align="right" rowSpan={errors.length} sx={{ fontWeight: 600 }}>
          {format.decimal(line)}
        </TableCell>
      )}
      <TableCell sx={{ color: column === null ? 'text.secondary' : undefined, whiteSpace: { sm: 'nowrap' } }}>
        {column ?? t('errors.wholeRow')}
      </TableCell>
      <TableCell sx={{ overflowWrap: 'break-word' }}>{message}</TableCell>
    </TableRow>
  ))
}
