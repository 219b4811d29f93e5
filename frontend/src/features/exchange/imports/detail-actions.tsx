import Button from '@mui/material/Button'
import Stack from '@mui/material/Stack'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban, CircleQuestionMark, Download, FileCheck, FileUp, ListTree, Package, Undo2 } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type To, useLocation, useNavigate } from 'react-router'
import type { Import } from '~/api/schema'
import { article } from '~/features/catalog/articles/resource'
import { isRunning } from '~/features/exchange/shared/running'
import { unresolvedNumber } from '~/features/exchange/unresolved-numbers/resource'
import { useSave } from '~/kit/form/use-save'
import { linkTo } from '~/kit/records/link'
import { BusyButton } from '~/kit/ui/busy-button'
import { FormErrors } from '~/kit/ui/form-errors'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useCan } from '~/session/me'
import { keepTenant, TENANT_PARAM, useTenant } from '~/session/tenant'
import { imports } from './api'
import { cacheQueuedImport } from './cache-queued-import'
import { spokenName } from './import-name'
import { LIST_PARAM } from './list-address'
import { useMayImport, useMayUndo } from './may-import'
import { useCancel } from './use-cancel'
import { useConfirmApply } from './use-confirm-apply'
import { removesSome } from './use-confirm-removals'

const UndoDialog = lazyWithTexts(() => import('./undo-dialog'))

/** Actions of an import: download its files, upload a correction, undo it. */
export function ImportActions({ row }: { row: Import }) {
  const { t } = useTranslation('imports')
  const cancel = useCancel()
  const mayImport = useMayImport(row.type)
  const readsArticles = useCan('article.list')
  const readsNumbers = useCan('matching.list')
  const download = useMutation({ mutationFn: (fileKind: 'upload' | 'error') => imports.download(row, fileKind) })
  const mayUndo = useMayUndo()(row.type)
  const [isUndoOpen, setUndoOpen] = useState(false)
  const hasSucceeded = row.status === 'Success' || row.status === 'PartialSuccess'
  const applicable = row.dry_run && hasSucceeded && (row.undoes === null ? row.files_kept && mayImport : mayUndo)
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { search } = useLocation()
  const apply = useSave<Import, Import>({
    save: imports.apply,
    startsJob: true,
    message: (row) => t(row.undoes === null ? 'messages.applied' : 'undo.queued', { name: spokenName(row) }),
    done(row) {
      cacheQueuedImport(queries, row)
      void navigate({ pathname: `../${row.id}`, search }, { relative: 'path' })
    },
  })
  const [confirmApply, applyDialog] = useConfirmApply()
  const saving = download.isPending ? download.variables : null
  return (
    <>
      <Stack direction="row" useFlexGap sx={{ gap: 1, flexWrap: 'wrap' }}>
        {applicable && (
          <BusyButton
            variant="contained"
            color={removesSome(row) ? 'error' : 'primary'}
            startIcon={<FileCheck size={18} />}
            busy={apply.pending}
            onClick={() => void confirmApply(row).then((confirmed) => confirmed && apply.submit(row))}
          >
            {t(row.undoes === null ? 'actions.apply' : 'undo.apply')}
          </BusyButton>
        )}
        {row.error_file !== null && (
          <BusyButton
            variant={applicable ? 'outlined' : 'contained'}
            color={applicable ? 'inherit' : 'primary'}
            startIcon={<Download size={18} />}
            busy={saving === 'error'}
            onClick={() => download.mutate('error')}
          >
            {t('actions.downloadErrors')}
          </BusyButton>
        )}
        {row.error_file !== null && mayImport && !applicable && <CorrectionLink row={row} />}
        {row.files_kept && (
          <BusyButton
            variant="outlined"
            color="inherit"
            startIcon={<Download size={18} />}
            busy={saving === 'upload'}
            onClick={() => download.mutate('upload')}
          >
            {t('actions.downloadUpload')}
          </BusyButton>
        )}
        {row.undoes === null && !isRunning(row) && row.rows_done > 0 && (
          <Button
            component={Link}
            to={{ pathname: 'rows', search: keepTenant(search) }}
            relative="path"
            variant="outlined"
            color="inherit"
            startIcon={<ListTree size={18} />}
          >
            {t('rows.show')}
          </Button>
        )}
        {readsArticles && row.type === 'Article' && !row.dry_run && row.rows_created + row.rows_updated + row.rows_unchanged > 0 && (
          <RecordsLink to={linkTo(article, { import_id: row.id }, { search: keepTenant(search) })} icon={<Package size={18} />}>
            {t('actions.showArticles')}
          </RecordsLink>
        )}
        {readsNumbers && row.type === 'ExternalApiMetaData' && !row.dry_run && row.rows_created + row.rows_updated > 0 && (
          <RecordsLink
            to={linkTo(unresolvedNumber, { import_id: row.id }, { search: keepTenant(search) })}
            icon={<CircleQuestionMark size={18} />}
          >
            {t('detail.unresolvedLink')}
          </RecordsLink>
        )}
        {row.undoable && mayUndo && (
          <Button variant="outlined" color="inherit" startIcon={<Undo2 size={18} />} onClick={() => setUndoOpen(true)}>
            {t(row.undoes === null ? 'undo.action' : 'undo.again.action')}
          </Button>
        )}
        {isRunning(row) && cancel.mayCancel && (
          <Button variant="outlined" color="error" startIcon={<Ban size={18} />} onClick={() => void cancel.confirmCancel(row)}>
            {cancel.action(row)}
          </Button>
        )}
      </Stack>
      {applyDialog}
      {isUndoOpen && (
        <Suspense fallback={null}>
          <UndoDialog row={row} onClose={() => setUndoOpen(false)} />
        </Suspense>
      )}
      <FormErrors error={download.error ?? apply.error} />
    </>
  )
}

/** Link to the records that an import has written or left unchanged. */
const RecordsLink = ({ to, icon, children }: { to: To; icon: ReactNode; children: string }) => (
  <Button component={Link} to={to} variant="outlined" color="inherit" startIcon={icon}>
    {children}
  </Button>
)

/** Link to the upload form with the same tenant and name. */
function CorrectionLink({ row: { type, name, tenant, price_list } }: { row: Import }) {
  const { t } = useTranslation('imports')
  const { mayChoose } = useTenant()
  const params = new URLSearchParams(useLocation().search)
  if (mayChoose) params.set(TENANT_PARAM, String(tenant.id))
  if (price_list) params.set(LIST_PARAM, String(price_list.id))
  return (
    <Button
      component={Link}
      to={{ pathname: '../new', search: params.toString() }}
      relative="path"
      state={{ type, name }}
      variant="outlined"
      startIcon={<FileUp size={18} />}
    >
      {t('actions.correct')}
    </Button>
  )
}
