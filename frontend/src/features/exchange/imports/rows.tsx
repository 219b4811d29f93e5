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
import { ArrowLeft, ListTree } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink, useLocation, useParams } from 'react-router'
import { isApiError } from '~/api/errors'
import { type Import, type ImportRow, importRowOutcomeValues } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { FieldChanges } from '~/features/shared/history/changes'
import { useRecordKinds } from '~/features/shared/history/record'
import { useFormat } from '~/i18n/use-format'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { useAddressParams } from '~/lib/address-params'
import { keepTenant } from '~/session/tenant'
import { imports, MUCH, type RowFilter } from './api'
import { useImportName } from './import-name'
import { Pages } from './pages'

const FILTER = 'rows'
const PAGE = 'page'

/** Filters, in the order in which users usually need them. */
const SHOWN = ['updated', 'much', 'created', 'refused', 'held', 'unresolved', 'removed', 'skipped', 'kept', 'unchanged'] as const

const TONE: Partial<Record<ImportRow['outcome'], 'success' | 'warning' | 'error' | 'info'>> = {
  created: 'success',
  updated: 'info',
  refused: 'error',
  held: 'warning',
  unresolved: 'warning',
  removed: 'warning',
}

/** Results of all rows, with the record before and after. The filter is in the URL. */
export default function ImportRows() {
  const { t } = useTranslation('imports')
  const { t: common } = useTranslation()
  const id = Number(useParams().id)
  const isValidId = Number.isSafeInteger(id)
  const { search } = useLocation()
  const name = useImportName()
  const { data: row, error, refetch } = useQuery({ ...imports.one(id), enabled: isValidId })
  const isMissing = !isValidId || (isApiError(error) && error.status === 404)
  return (
    <Page
      title={row ? t('rows.page', { name: name(row) }) : t('rows.title')}
      {...(row && { intro: t('rows.intro', { id: row.id, file: row.upload_file }) })}
      actions={
        <Button
          component={RouterLink}
          to={{ pathname: '..', search: keepTenant(search) }}
          relative="path"
          variant="outlined"
          color="inherit"
          startIcon={<ArrowLeft size={18} />}
        >
          {t('rows.back')}
        </Button>
      }
    >
      {isMissing ? (
        <Typography role="alert">{common('errors.recordGone')}</Typography>
      ) : error ? (
        <LoadFailed error={error} retry={() => void refetch()} />
      ) : row ? (
        <Result row={row} />
      ) : (
        <Skeleton variant="rounded" height={240} />
      )}
    </Page>
  )
}

function Result({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const [params, changeParams] = useAddressParams()
  const filter: RowFilter = [...importRowOutcomeValues, 'much' as const].find((value) => value === params.get(FILTER)) ?? null
  const page = Math.max(1, Math.trunc(Number(params.get(PAGE))) || 1)
  const set = (changes: Record<string, string | null>) =>
    changeParams((next) => {
      for (const [key, value] of Object.entries(changes)) {
        if (value === null) next.delete(key)
        else next.set(key, value)
      }
    })
  const running = isRunning(row)
  const isPriceImport = row.type === 'Price' || row.type === 'Listing' || row.type === 'PriceList'
  const filterOptions = SHOWN.filter((option) => (option === 'much' ? isPriceImport : row[`rows_${option}`] > 0) || option === filter)
  return (
    <>
      {row.dry_run && (
        <Typography variant="body2" color="textSecondary">
          {t('rows.dry')}
        </Typography>
      )}
      <Stack direction="row" useFlexGap role="group" aria-label={t('rows.filter')} sx={{ flexWrap: 'wrap', gap: 1 }}>
        {([null, ...filterOptions] as RowFilter[]).map((option) => (
          <Filter
            key={option ?? 'all'}
            row={row}
            filter={option}
            chosen={option === filter}
            onChoose={() => set({ [FILTER]: option, [PAGE]: null })}
          />
        ))}
      </Stack>
      <Rows
        key={running ? 'running' : 'ended'}
        row={row}
        filter={filter}
        page={page}
        onPage={(to) => set({ [PAGE]: to > 1 ? String(to) : null })}
      />
    </>
  )
}

interface FilterProps {
  row: Import
  filter: RowFilter
  chosen: boolean
  onChoose: () => void
}

function Filter({ row, filter, chosen, onChoose }: FilterProps) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const label =
    filter === null
      ? t('rows.all')
      : filter === 'much'
        ? t('rows.much', { percent: format.decimal(MUCH) })
        : `${t(`rows.outcomes.${filter}`)}: ${format.decimal(row[`rows_${filter}`])}`
  return (
    <Chip
      label={label}
      color={chosen ? 'primary' : 'default'}
      variant={chosen ? 'filled' : 'outlined'}
      aria-pressed={chosen}
      onClick={onChoose}
    />
  )
}

interface RowsProps {
  row: Import
  filter: RowFilter
  page: number
  onPage: (page: number) => void
}

function Rows({ row: { id }, filter, page, onPage }: RowsProps) {
  const { t } = useTranslation('imports')
  const { data, error, refetch, isPlaceholderData } = useQuery(imports.result(id, page, filter))
  if (error) return <LoadFailed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton variant="rounded" height={240} />
  if (data.meta.total === 0)
    return (
      <Box sx={FRAME}>
        <EmptyState icon={ListTree} title={t('rows.none')}>
          {t('rows.forgotten')}
        </EmptyState>
      </Box>
    )
  return (
    <Box sx={FRAME}>
      <TableContainer sx={{ opacity: isPlaceholderData ? 0.55 : 1 }} aria-busy={isPlaceholderData}>
        <Table aria-label={t('rows.title')} sx={NARROW}>
          <TableHead>
            <TableRow>
              <TableCell align="right">{t('rows.line')}</TableCell>
              <TableCell>{t('rows.outcome')}</TableCell>
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
      </TableContainer>
      {data.meta.last_page > 1 && <Pages label={t('rows.pages')} meta={data.meta} onPage={onPage} />}
    </Box>
  )
}

const FRAME = { border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' } as const

/** Layout for phones: the cells of a row are stacked. */
const NARROW = {
  '@media (max-width: 599px)': {
    '& thead': { display: 'none' },
    '& tr': { display: 'block', borderBottom: 1, borderColor: 'divider', py: 1 },
    '& tbody tr > *': { display: 'block', border: 0, py: 0.25, textAlign: 'left' },
  },
} as const

function Row({ row }: { row: ImportRow }) {
  const { t } = useTranslation('imports')
  const format = useFormat()
  const records = useRecordKinds()
  const { search } = useLocation()
  // a record that was removed completely has no values afterwards
  const isRemoved = row.outcome === 'removed' && row.changes.every(({ to }) => to === null)
  const path = isRemoved ? null : records.path(row.record, row.record_id)
  const messages = [...row.errors, ...row.warnings]
  return (
    <TableRow sx={{ verticalAlign: 'top' }}>
      <TableCell component="th" scope="row" align="right" sx={{ fontWeight: 600 }}>
        {format.decimal(row.line)}
      </TableCell>
      <TableCell>
        <Chip size="small" variant="outlined" color={TONE[row.outcome] ?? 'default'} label={t(`rows.outcomes.${row.outcome}`)} />
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
      <TableCell sx={{ overflowWrap: 'anywhere' }}>
        {messages.map(({ column, message }) => (
          <div key={`${column} ${message}`}>{column === null ? message : `${column}: ${message}`}</div>
        ))}
        <FieldChanges entry={row} />
        {row.price_change !== null && Number(row.price_change) > MUCH && (
          <Box sx={{ color: 'warning.main' }}>{t('rows.priceChange', { percent: format.decimal(truncateDecimal(row.price_change)) })}</Box>
        )}
      </TableCell>
    </TableRow>
  )
}

/** Shortens a decimal to two places, which is precise enough here. */
const truncateDecimal = (decimal: string): string => decimal.replace(/(\.\d\d)\d+$/, '$1')
