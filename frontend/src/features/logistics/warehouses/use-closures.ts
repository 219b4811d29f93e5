import { useTranslation } from 'react-i18next'
import type { Closure } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { warehouses } from './api'

/** Closures come and go at once; each way can be taken back. */
export function useClosures() {
  const { t } = useTranslation('warehouses')
  const format = useFormat()
  const errorText = useErrorText()
  const words = ({ date, name }: Closure) => ({ date: format.weekdayDate(`${date}T00:00:00`), name })
  const tried = (call: Promise<unknown>) => call.then(() => {}).catch((error: unknown) => notify.error(errorText(error)))
  return {
    label: (closure: Closure) => t('closures.remove', words(closure)),
    closed: (closure: Closure) => notify.undoable(t('closures.closed', words(closure)), () => tried(warehouses.reopen(closure.id))),
    reopen: (closure: Closure) =>
      tried(
        warehouses.reopen(closure.id).then(() => {
          const { date, name, warehouse_id } = closure
          notify.undoable(t('closures.reopened', words(closure)), () => tried(warehouses.close({ date, name, warehouse_id })))
        }),
      ),
  }
}
