import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { isRunning } from '~/features/exchange/shared/running'
import { useConfirm } from '~/kit/ui/confirm'
import { notify } from '~/kit/ui/snackbar'
import { useAccess } from '~/session/access'
import { imports } from './api'
import { spokenName } from './import-name'

/** Returns a function that cancels an import in the queue, or stops a running one. */
export function useCancel() {
  const { t } = useTranslation('imports')
  const confirm = useConfirm()
  const verb = (row: Import) => (row.status === 'InProgress' ? 'stop' : 'cancel')
  return {
    mayCancel: useAccess('import').remove,
    action: (row: Import) => t(`${verb(row)}.action`),
    blocked: (row: Import) => (isRunning(row) ? null : t('cancel.blocked')),
    async confirmCancel(row: Import) {
      const params = { name: spokenName(row) }
      const textGroup = verb(row)
      const done = await confirm({
        title: t(`${textGroup}.title`, params),
        body: textGroup === 'stop' ? t(`stop.${stopBody(row)}`) : t('cancel.body'),
        action: t(`${textGroup}.action`),
        cancel: t(`${textGroup}.keep`),
        run: () => (textGroup === 'stop' ? imports.stop(row.id) : imports.cancel(row.id)),
      })
      if (done) notify.success(t(`${textGroup}.done`, params))
    },
  }
}

/** Key of the text that says what happens to rows that have been processed. */
function stopBody(row: Import) {
  if (row.dry_run) return 'bodyDryRun'
  return row.type === 'PriceList' && row.undoes === null ? 'bodyWhole' : 'body'
}
