import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { originOf } from '~/api/client'
import { useFormat } from '~/i18n/use-format'
import { useConfirm } from './confirm'
import { notify, type SnackbarOptions } from './snackbar'
import { UndoImpactContext } from './undo-impact'

/** What is taken back: all that a request has written, or an entry of the history. */
export type Undone = ({ request: string } | { entry: number }) & {
  /** Of the only record that it is about. */
  name?: string
  /** Where prices may change with it: when their impact is shown, with a question of its own or with that of a deletion. */
  impact?: 'before' | 'with deletion' | 'shown already'
}

/** Takes something back, and says what became of that; it can be taken back as well. False if a question was answered with no. */
export function useUndo(): (what: Undone) => Promise<boolean> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { decimal } = useFormat()
  const { show } = useContext(UndoImpactContext)
  return async (what) => (await import('./undo')).undo(what, { t, confirm, decimal, showImpact: show })
}

/** Says that something was done, which can be taken back if its answer tells of its request. */
export function useOffer(): (message: string, answer: unknown, options?: SnackbarOptions) => void {
  const offer = useOfferAll()
  return (message, answer, options) => offer(message, [answer], 'success', options)
}

/** The same of what several calls have done; of what else there is to be said of it, as a warning. */
export function useOfferAll(): (
  message: string,
  answers: readonly unknown[],
  as?: 'success' | 'warning',
  options?: SnackbarOptions,
) => void {
  const undo = useUndo()
  const { changesPrices } = useContext(UndoImpactContext)
  return (message, answers, as = 'success', options = {}) => {
    const origins = answers.map(originOf).filter((origin) => origin !== undefined)
    if (origins.length === 0) return notify[as](message, options)
    // what was done last is taken back first
    const all = async () => {
      for (const { request, path, created } of origins.toReversed()) {
        const impact = changesPrices(path) && ({ impact: created ? 'with deletion' : 'before' } as const)
        if (!(await undo({ request, ...impact }))) return
      }
    }
    if (as === 'warning') notify.warning(message, { ...options, undo: all })
    else notify.undoable(message, all, options)
  }
}
