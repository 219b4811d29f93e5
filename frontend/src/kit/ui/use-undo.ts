import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { requestOf } from '~/api/client'
import { useFormat } from '~/i18n/use-format'
import { useConfirm } from './confirm'
import { notify } from './snackbar'

/** What is taken back: all that a request has written, or an entry of the history. */
export type Undone = ({ request: string } | { entry: number }) & {
  /** Of the only record that it is about. */
  name?: string
  /** What its deletion would do, told with the question. */
  impact?: ReactNode
}

/** Takes something back, and says what became of that; it can be taken back as well. */
export function useUndo(): (what: Undone) => Promise<void> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { decimal } = useFormat()
  return async (what) => (await import('./undo')).undo(what, { t, confirm, decimal })
}

/** Says that something was done, which can be taken back if its answer tells of its request. */
export function useOffer(): (message: string, answer: unknown) => void {
  const offer = useOfferAll()
  return (message, answer) => offer(message, [answer])
}

/** The same of what several calls have done; of what else there is to be said of it, as a warning. */
export function useOfferAll(): (message: string, answers: readonly unknown[], as?: 'success' | 'warning') => void {
  const undo = useUndo()
  return (message, answers, as = 'success') => {
    const requests = answers.map(requestOf).filter((request) => request !== undefined)
    if (requests.length === 0) return notify[as](message)
    // what was done last is taken back first
    const all = async () => {
      for (const request of requests.toReversed()) await undo({ request })
    }
    if (as === 'warning') notify.warning(message, { undo: all })
    else notify.undoable(message, all)
  }
}
