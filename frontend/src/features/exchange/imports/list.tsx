import Box from '@mui/material/Box'
import { Ban } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { ResourceList } from '~/kit/records/resource-list'
import { columns, TwoLines } from '~/kit/table/columns'
import { imports } from './api'
import { useCountsText } from './counts-text'
import { DryRunChip, UndoChip } from './dry-run-chip'
import { useImportName } from './import-name'
import { useImportable } from './may-import'
import { ImportProgress } from './progress'
import { importing } from './resource'
import { ImportStatusChip } from './status-chip'
import { useCancel } from './use-cancel'

function Name({ row }: { row: Import }) {
  const name = useImportName()
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
      {name(row)}
      {row.undoes !== null && <UndoChip />}
      {row.dry_run && <DryRunChip />}
    </Box>
  )
}

/** How far it is, and in the end what became of the rows. */
function Result({ row }: { row: Import }) {
  const counts = useCountsText()
  return isRunning(row) ? <ImportProgress row={row} /> : <Box sx={{ minWidth: 110 }}>{counts(row)}</Box>
}

const col = columns<Import>('imports')
const COLUMNS = [
  col.custom('name', (row) => <Name row={row} />),
  col.custom('status', (row) => <ImportStatusChip status={row.status} />),
  col.custom('result', (row) => <Result row={row} />, { sort: '' }),
  col.custom('upload_file', (row) => <TwoLines text={row.upload_file} width={240} />),
  // what has no name of its own is called by it
  col.enum('type', { card: false, optional: true }),
  col.tenant('tenant', (row) => row.tenant.company, { card: false }),
  col.custom('created_by', (row) => row.created_by?.name, { card: false }),
  col.instant('created_at', { optional: true }),
  col.instant('updated_at', { card: false }),
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
          ? [{ label: cancel.action(row), icon: Ban, danger: true, blocked: cancel.blocked(row), onClick: () => void cancel.ask(row) }]
          : []
      }
      {...(!mayImport && { empty: t('empty.lookOn') })}
    />
  )
}
