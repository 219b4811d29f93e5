import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { $api } from '~/api/client'
import type { AuditRecord } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { linkToHistory } from '~/kit/records/link'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Waiting } from '~/kit/ui/waiting'
import { Entry } from './history-tab'

const MAX_ENTRIES = 50

/** Fields of a record whose history is shown. */
export interface FieldHistoryTarget {
  record: AuditRecord
  id: number
  /** Name of the record. */
  name: string
  /** Common name of the fields, such as a price with its quantity and unit. */
  field: string
  fields: readonly string[]
}

const historyOf = ({ record, id, fields }: FieldHistoryTarget) =>
  $api.queryOptions('get', '/api/admin/audit', {
    params: {
      query: {
        'page[size]': MAX_ENTRIES,
        filter: { 'filter[record]': record, 'filter[record_id]': id, 'filter[field]': [...fields] },
      },
    },
  })

/** Former values of some fields of a record, with author and time of each change and its undo. */
export default function FieldHistory({ onClose, ...target }: FieldHistoryTarget & { onClose: () => void }) {
  const { t } = useTranslation(['audit', 'recordPage', 'common'])
  const format = useFormat()
  const { data, error, refetch, isFetching } = useQuery({ ...historyOf(target), refetchOnMount: 'always' })
  const entries = (data?.data ?? []).map((entry) => ({
    ...entry,
    changes: entry.changes.filter(({ field }) => target.fields.includes(field)),
  }))
  return (
    <DialogFrame
      title={t('audit:fieldHistory.title', { field: target.field })}
      description={target.name}
      maxWidth="md"
      fullScreenOnPhone
      onClose={onClose}
      actions={
        <Button color="inherit" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      {error && !data ? (
        <LoadFailed error={error} retry={() => void refetch()} pending={isFetching} />
      ) : !data ? (
        <Waiting />
      ) : entries.length === 0 ? (
        t('audit:fieldHistory.none')
      ) : (
        <>
          <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} name={target.name} />
            ))}
          </Box>
          <Link component={RouterLink} to={linkToHistory(target.record, target.id)}>
            {data.meta.total > MAX_ENTRIES
              ? t('recordPage:allHistory', { total: format.decimal(data.meta.total) })
              : t('audit:fieldHistory.record')}
          </Link>
        </>
      )}
    </DialogFrame>
  )
}
