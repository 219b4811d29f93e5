import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { useConfirm } from '~/kit/feedback/confirm'
import { notify } from '~/kit/feedback/snackbar'
import { useAccess } from '~/session/access'
import { imports } from './api'
import { spokenName } from './import-name'

/** Cancelling an import: only before it has begun. */
export function useCancel() {
  const { t } = useTranslation('imports')
  const confirm = useConfirm()
  return {
    may: useAccess('import').remove,
    blocked: (row: Import) => (row.status === 'Queued' ? null : t('cancel.blocked')),
    async ask(row: Import) {
      const params = { name: spokenName(row) }
      const done = await confirm({
        title: t('cancel.title', params),
        body: t('cancel.body'),
        action: t('cancel.action'),
        cancel: t('cancel.keep'),
        run: () => imports.cancel(row.id),
      })
      if (done) notify.success(t('cancel.done', params))
    },
  }
}
