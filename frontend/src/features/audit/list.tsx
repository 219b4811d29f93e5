import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { useListState } from '~/kit/list/use-list-state'
import { audit } from './api'
import { Changes } from './changes'
import { useRecords } from './record'
import { entry } from './resource'
import { useReferenceText } from './use-reference-text'

function Who({ row }: { row: AuditEntry }) {
  const { t } = useTranslation('audit')
  const labels = useLabels('audit')
  const reference = useReferenceText()
  const through = row.through && `${labels.enum('channel', row.channel)} ${row.through.name ?? row.through.id}`
  return (
    <>
      {row.user ? reference(row.user) : t(row.channel === 'system' ? 'system' : 'unknown')}
      {(through || row.address) && (
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {through || row.address}
        </Typography>
      )}
    </>
  )
}

function Of({ row }: { row: AuditEntry }) {
  const { name } = useRecords()
  return (
    <>
      {name(row.record)} {entry.title(row) && <strong>{entry.title(row)}</strong>}
    </>
  )
}

function What({ row }: { row: AuditEntry }) {
  const labels = useLabels('audit')
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, rowGap: 0.25, alignItems: 'baseline' }}>
      <Chip size="small" variant="outlined" color={ACTION_TONE[row.action] ?? 'default'} label={labels.enum('action', row.action)} />
      <span>
        <Of row={row} />
      </span>
    </Box>
  )
}

const ACTION_TONE: Record<string, 'success' | 'error' | 'warning' | 'default'> = {
  created: 'success',
  deleted: 'error',
  sign_in_failed: 'warning',
}

const col = columns<AuditEntry>('audit')
const COLUMNS = [
  col.instant('at'),
  col.custom('user_id', (row) => <Who row={row} />),
  col.custom('action', (row) => <What row={row} />),
  col.custom(
    'changes',
    (row) => (
      // with the texts of the record's own screen
      <Suspense fallback={<Skeleton />}>
        <Changes entry={row} />
      </Suspense>
    ),
    { width: '45%' },
  ),
  col.tenant('tenant_id', (row) => row.tenant?.name, { optional: true }),
  col.enum('channel', { optional: true }),
]

/** What happened: of everything, or, by its filters, of one record. */
export default function AuditList() {
  const { path } = useRecords()
  const { state } = useListState('audit', audit.spec)
  const ofOne = state.filters.some(({ field }) => field === 'record_id')
  const latest = useQuery({ ...audit.list(state), enabled: ofOne }).data?.data[0]
  return (
    <ResourceList of={entry} api={audit} columns={COLUMNS} rowHref={(row) => path(row.record, row.record_id) ?? '.'}>
      {ofOne && latest && (
        <Box>
          <Chip label={<Of row={latest} />} />
        </Box>
      )}
    </ResourceList>
  )
}
