import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { History, ShieldX } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { $api } from '~/api/client'
import type { AuditEntry, AuditRecord } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { linkToHistory } from '~/kit/records/link'
import { useRecordPage } from '~/kit/records/record-page-context'
import { useSeesHistory } from '~/kit/records/use-sees-history'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { ActionChip } from './action-chip'
import { Author } from './author'
import { EntryChanges } from './entry-changes'
import { UndoEntry } from './undo-entry'

const MAX_ENTRIES = 50

const historyOf = (record: AuditRecord, id: number) =>
  $api.queryOptions('get', '/api/admin/audit', {
    params: { query: { 'page[size]': MAX_ENTRIES, filter: { 'filter[record]': record, 'filter[record_id]': id } } },
  })

/** History of the record, newest first. */
export default function HistoryTab() {
  const { t } = useTranslation()
  const { resource, row } = useRecordPage<{ id: number }>()
  if (useSeesHistory(resource) && resource.record) return <Entries record={resource.record} id={row.id} name={resource.title(row)} />
  return <EmptyState icon={ShieldX} title={t('errors.forbidden')} />
}

function Entries({ record, id, name }: { record: AuditRecord; id: number; name: string }) {
  const { t } = useTranslation(['recordPage', 'audit'])
  const format = useFormat()
  const { data, error, refetch, isFetching } = useQuery(historyOf(record, id))
  if (!data) return error ? <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} /> : <Waiting />
  if (data.data.length === 0) return <EmptyState icon={History} title={t('audit:empty.title')} />
  return (
    <Box sx={{ maxWidth: 760 }}>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {data.data.map((entry) => (
          <Entry key={entry.id} entry={entry} name={name} />
        ))}
      </Box>
      {data.meta.total > MAX_ENTRIES && (
        <Link component={RouterLink} to={linkToHistory(record, id)}>
          {t('allHistory', { total: format.decimal(data.meta.total) })}
        </Link>
      )}
    </Box>
  )
}

export function Entry({ entry, name }: { entry: AuditEntry; name: string }) {
  const { t } = useTranslation('audit')
  const format = useFormat()
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { sm: '200px 1fr' },
        gap: { xs: 0.5, sm: 2 },
        py: 2,
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ typography: 'body2' }}>
        <time dateTime={entry.at} title={format.ago(entry.at)}>
          {format.dateTime(entry.at)}
        </time>
        <Box sx={{ mt: 0.5 }}>
          <Author row={entry} />
        </Box>
      </Box>
      <Box sx={{ typography: 'body2', minWidth: 0 }}>
        <Box sx={{ mb: 0.5 }}>
          <ActionChip action={entry.action} />
          {(entry.undone || entry.undoes !== null) && (
            <Box component="span" sx={{ color: 'text.secondary', ml: 1 }}>
              {t(entry.undone ? 'undo.undone' : 'undo.undoes')}
            </Box>
          )}
        </Box>
        <EntryChanges entry={entry} />
        <UndoEntry row={entry} name={name} />
      </Box>
    </Box>
  )
}
