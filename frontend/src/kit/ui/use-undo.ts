import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { originOf } from '~/api/client'
import { useFormat } from '~/i18n/use-format'
import { useConfirm } from './confirm'
import { notify, type SnackbarOptions } from './snackbar'
import { UndoImpactContext } from './undo-impact'

/** Target of an undo: all changes of a request, or one history entry. */
export type UndoTarget = ({ request: string } | { entry: number }) & {
  /** Name of the record, if there is only one. */
  name?: string
  /**
   * Set if prices may change: when their impact is shown, in a confirmation of its own or in that of a
   * deletion.
   */
  impact?: 'before' | 'with deletion' | 'shown already'
}

/**
 * Returns a function that undoes a change and reports the result, which can be undone too; false if the user
 * declines a confirmation.
 */
export function useUndo(): (target: UndoTarget) => Promise<boolean> {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const { decimal } = useFormat()
  const { show } = useContext(UndoImpactContext)
  return async (target) => (await import('./undo')).undo(target, { t, confirm, decimal, showImpact: show })
}

/** Returns a function that reports an action and offers its undo, if the answer carries its request id. */
export function useOfferUndo(): (message: string, answer: unknown, options?: SnackbarOptions) => void {
  const offerUndoAll = useOfferUndoAll()
  return (message, answer, options) => offerUndoAll(message, [answer], 'success', options)
}

/** Returns the same for the answers of several calls; `severity` may be a warning. */
export function useOfferUndoAll(): (
  message: string,
  answers: readonly unknown[],
  severity?: 'success' | 'warning',
  options?: SnackbarOptions,
) => void {
  const undo = useUndo()
  const { changesPrices } = useContext(UndoImpactContext)
  return (message, answers, severity = 'success', options = {}) => {
    const origins = answers.map(originOf).filter((origin) => origin !== undefined)
    if (origins.length === 0) return notify[severity](message, options)
    // the latest change is undone first
    const all = async () => {
      for (const { request, path, created } of origins.toReversed()) {
        const impact = changesPrices(path) && ({ impact: created ? 'with deletion' : 'before' } as const)
        if (!(await undo({ request, ...impact }))) return
      }
    }
    if (severity === 'warning') notify.warning(message, { ...options, undo: all })
    else notify.undoable(message, all, options)
  }
}
