import Box from '@mui/material/Box'
import Chip from '@mui/material/Chip'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '~/api/schema'
import { ActionChip } from '~/features/shared/history/action-chip'
import { Author } from '~/features/shared/history/author'
import { EntryChanges } from '~/features/shared/history/entry-changes'
import { useRecordKinds } from '~/features/shared/history/record'
import { countByRequest, RequestCountProvider, UndoEntry } from '~/features/shared/history/undo-entry'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { useListState } from '~/kit/table/use-list-state'
import { audit } from './api'
import { entry } from './resource'

function RecordCell({ row }: { row: AuditEntry }) {
  const { name } = useRecordKinds()
  return (
    <>
      {name(row.record)} {entry.title(row) && <strong>{entry.title(row)}</strong>}
    </>
  )
}

function ActionCell({ row }: { row: AuditEntry }) {
  const { t } = useTranslation('audit')
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, rowGap: 0.25, alignItems: 'baseline' }}>
      <ActionChip action={row.action} />
      <span>
        <RecordCell row={row} />
      </span>
      {(row.undone || row.undoes !== null) && (
        <Typography variant="body2" component="span" sx={{ color: 'text.secondary' }}>
          {t(row.undone ? 'undo.undone' : 'undo.undoes')}
        </Typography>
      )}
    </Box>
  )
}

function UndoCell({ row }: { row: AuditEntry }) {
  const { name } = useRecordKinds()
  return <UndoEntry row={row} name={`${name(row.record)} ${entry.title(row)}`} />
}

const col = columns<AuditEntry>('audit')
const COLUMNS = [
  col.instant('at'),
  col.custom('user_id', (row) => <Author row={row} />),
  col.custom('action', (row) => <ActionCell row={row} />),
  col.custom(
    'changes',
    (row) => (
      // with the texts of the record's own screen
      <Suspense fallback={<Skeleton />}>
        <EntryChanges entry={row} />
        <UndoCell row={row} />
      </Suspense>
    ),
    { width: '45%' },
  ),
  col.tenant('tenant_id', (row) => row.tenant?.name, { optional: true }),
  col.enum('channel', { optional: true }),
]

/** History of all records, or of one record if the filters name it. */
export default function AuditList() {
  const { path } = useRecordKinds()
  const { state } = useListState('audit', audit.spec)
  const isSingleRecord = state.filters.some(({ field }) => field === 'record_id')
  const rows = useQuery({ ...audit.list(state), enabled: false }).data?.data
  const latest = isSingleRecord ? rows?.[0] : undefined
  return (
    <RequestCountProvider value={useMemo(() => countByRequest(rows ?? []), [rows])}>
      <ResourceList resource={entry} api={audit} columns={COLUMNS} rowHref={(row) => path(row.record, row.record_id) ?? '.'}>
        {isSingleRecord && latest && (
          <Box>
            <Chip label={<RecordCell row={latest} />} />
          </Box>
        )}
      </ResourceList>
    </RequestCountProvider>
  )
}
