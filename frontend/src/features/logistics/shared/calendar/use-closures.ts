import { useTranslation } from 'react-i18next'
import { useFormat } from '~/i18n/use-format'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import type { ClosureBody } from './closure-schema'
import type { ClosedDay } from './days-off'

/** Calls that change the closures of a place. */
export interface ClosureCalls<C extends ClosedDay> {
  close: (body: ClosureBody) => Promise<C>
  reopen: (id: number) => Promise<unknown>
  /** Creates a removed closure again. */
  restore(closure: C): Promise<unknown>
}

/** Formats day and name of a closure for texts. */
export function useClosureWords(): (closure: ClosedDay) => { date: string; name: string } {
  const format = useFormat()
  return ({ date, name }) => ({ date: format.weekdayDate(`${date}T00:00:00`), name })
}

/** Creates and removes closures without confirmation; each of both can be undone. */
export function useClosures<C extends ClosedDay>(calls: ClosureCalls<C>) {
  const { t } = useTranslation('warehouses')
  const words = useClosureWords()
  const errorText = useErrorText()
  const { decimal } = useFormat()
  const withErrorNotice = (call: Promise<unknown>) => call.then(() => {}).catch((error: unknown) => notify.error(errorText(error)))
  /** Closes days one after the other; failures are counted, and one message offers to undo all of them. */
  async function closeMany(bodies: readonly ClosureBody[]): Promise<C[]> {
    const createdClosures: C[] = []
    let refused: unknown = null
    let left = 0
    for (const body of bodies) {
      try {
        createdClosures.push(await calls.close(body))
      } catch (error) {
        refused = error
        left++
      }
    }
    if (createdClosures.length === 0 && refused) throw refused
    const undo = () => withErrorNotice(Promise.all(createdClosures.map(({ id }) => calls.reopen(id))))
    const text = t('closures.many', { count: createdClosures.length, number: decimal(createdClosures.length) })
    notify.undoable(left > 0 ? `${text} ${t('closures.left', { count: left, number: decimal(left) })}` : text, undo)
    return createdClosures
  }
  return {
    closeMany,
    closed: (closure: C) => notify.undoable(t('closures.closed', words(closure)), () => withErrorNotice(calls.reopen(closure.id))),
    reopen: (closure: C) =>
      withErrorNotice(
        calls.reopen(closure.id).then(() => {
          notify.undoable(t('closures.reopened', words(closure)), () => withErrorNotice(calls.restore(closure)))
        }),
      ),
  }
}
