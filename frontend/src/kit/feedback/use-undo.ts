import { useTranslation } from 'react-i18next'
import { requestOf } from '~/api/client'
import { useConfirm } from './confirm'
import { notify } from './snackbar'

/** What is taken back: all that a request has written, or an entry of the history. */
export type Undone = { request: string } | { entry: number }

/** Takes something back, and says what became of that; it can be taken back as well. */
export function useUndo(): (what: Undone) => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  return async (what) => (await import('./undo')).undo(what, { t, confirm })
}

/** Says that something was done, which can be taken back if its answer tells of its request. */
export function useOffer(): (message: string, answer: unknown) => void {
  const undo = useUndo()
  return (message, answer) => {
    const request = requestOf(answer)
    if (request) notify.undoable(message, () => undo({ request }))
    else notify.success(message)
  }
}
