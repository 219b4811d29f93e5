import Box from '@mui/material/Box'
import { Ban, Download, FileSearch, Undo2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { ResourceList } from '~/kit/records/resource-list'
import { columns, TwoLines } from '~/kit/table/columns'
import { FilterSwitch } from '~/kit/table/filter-switch'
import { useErrorText } from '~/kit/ui/error-text'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import type { RowAction } from '~/kit/ui/row-menu'
import { notify } from '~/kit/ui/snackbar'
import { imports } from './api'
import { useCountsText } from './counts-text'
import { ImportMarks } from './import-marks'
import { useImportName } from './import-name'
import { useImportable, useMayUndo } from './may-import'
import { ImportProgress } from './progress'
import { importing } from './resource'
import { ImportStatusChip } from './status-chip'
import { useCancel } from './use-cancel'

const UndoDialog = lazyWithTexts(() => import('./undo-dialog'))

function Name({ row }: { row: Import }) {
  const name = useImportName()
  return (
    <Box component="span" sx={{ display: 'inline-flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1, rowGap: 0.5 }}>
      {name(row)}
      <ImportMarks row={row} />
    </Box>
  )
}

/** Progress of an import, or its counts once it has ended. */
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
  // an import without a name is shown with its type
  col.enum('type', { card: false, optional: true }),
  col.tenant('tenant', (row) => row.tenant.company, { card: false }),
  col.custom('created_by', (row) => row.created_by?.name ?? row.feed?.host, { card: false }),
  col.instant('created_at', { optional: true }),
  col.instant('updated_at', { card: false }),
]

export default function ImportList() {
  const { t } = useTranslation('imports')
  const mayImport = useImportable().length > 0
  const name = useImportName()
  const cancel = useCancel()
  const mayUndo = useMayUndo()
  const errorText = useErrorText()
  const [undone, setUndone] = useState<Import | null>(null)
  const save = (row: Import, fileKind: 'upload' | 'error') =>
    void imports.download(row, fileKind).catch((error: unknown) => notify.error(errorText(error)))
  const actions = (row: Import): RowAction[] => [
    ...(row.error_file === null ? [] : [{ label: t('actions.downloadErrors'), icon: Download, onClick: () => save(row, 'error') }]),
    ...(row.files_kept ? [{ label: t('actions.downloadUpload'), icon: Download, onClick: () => save(row, 'upload') }] : []),
    ...(row.undoable && mayUndo(row.type)
      ? [{ label: t(row.undoes === null ? 'undo.action' : 'undo.again.action'), icon: Undo2, onClick: () => setUndone(row) }]
      : []),
    ...(cancel.mayCancel
      ? [
          {
            label: cancel.action(row),
            icon: Ban,
            danger: true,
            blocked: cancel.blocked(row),
            onClick: () => void cancel.confirmCancel(row),
          },
        ]
      : []),
  ]
  return (
    <>
      <ResourceList
        resource={importing}
        api={imports}
        columns={COLUMNS}
        rowName={name}
        creatable={mayImport}
        rowActions={actions}
        actions={<FilterSwitch field="dry_run" value="true" icon={FileSearch} show={t('dryRuns.show')} hide={t('dryRuns.leave')} />}
        {...(!mayImport && { empty: t('empty.lookOn') })}
      />
      {undone && (
        <Suspense fallback={null}>
          <UndoDialog row={undone} onClose={() => setUndone(null)} />
        </Suspense>
      )}
    </>
  )
}
