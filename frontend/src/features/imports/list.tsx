import Chip from '@mui/material/Chip'
import { Ban } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { imports } from './api'
import { useImportName } from './import-name'
import { useImportable } from './may-import'
import { ImportProgress } from './progress'
import { importing } from './resource'
import { ImportStatusChip } from './status-chip'
import { useCancel } from './use-cancel'

function Name({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const name = useImportName()
  return (
    <>
      {name(row)}
      {row.dry_run && <Chip size="small" label={t('dryRun.mark')} sx={{ ml: 1 }} />}
    </>
  )
}

const col = columns<Import>('imports')
const COLUMNS = [
  col.custom('name', (row) => <Name row={row} />),
  col.custom('status', (row) => <ImportStatusChip status={row.status} />),
  col.enum('type', { card: false }),
  col.custom('rows', (row) => <ImportProgress row={row} />, { align: 'right' }),
  col.text('upload_file', { optional: true }),
  col.tenant('tenant', (row) => row.tenant.company, { card: false }),
  col.custom('created_by', (row) => row.created_by?.name, { card: false }),
  col.instant('created_at', { optional: true }),
  col.instant('updated_at', { card: true }),
]

export default function ImportList() {
  const { t } = useTranslation('imports')
  const mayImport = useImportable().length > 0
  const name = useImportName()
  const cancel = useCancel()
  return (
    <ResourceList
      of={importing}
      api={imports}
      columns={COLUMNS}
      rowName={name}
      creatable={mayImport}
      rowActions={(row) =>
        cancel.may
          ? [{ label: t('cancel.action'), icon: Ban, danger: true, blocked: cancel.blocked(row), onClick: () => void cancel.ask(row) }]
          : []
      }
      {...(!mayImport && { empty: t('empty.lookOn') })}
    />
  )
}
