import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnresolvedNumber } from '~/api/schema'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { unresolvedNumbers } from './api'

/** Returns a function that runs a mutation and reports its result. */
function useNotifyDone() {
  const errorText = useErrorText()
  return async <T>(request: () => Promise<T>, messageOf: (result: T) => string) => {
    try {
      notify.success(messageOf(await request()))
    } catch (error) {
      notify.error(errorText(error))
    }
  }
}

/**
 * Imports the rows whose numbers have been matched, and says how many imports that starts. While the request
 * is running it is not sent again.
 */
export function useReplay() {
  const { t } = useTranslation('unresolvedNumbers')
  const run = useNotifyDone()
  const [busy, setBusy] = useState(false)
  async function replay() {
    if (busy) return
    setBusy(true)
    await run(unresolvedNumbers.replay, ({ imports }) => t('replay.done', { count: imports.length }))
    setBusy(false)
  }
  return { busy, replay }
}

/** Returns a function that ignores a number or stops ignoring it. */
export function useIgnore() {
  const { t } = useTranslation('unresolvedNumbers')
  const run = useNotifyDone()
  return ({ id, number }: UnresolvedNumber, ignored: boolean) =>
    run(
      () => unresolvedNumbers.ignore(id, ignored),
      () => t(ignored ? 'ignore.done' : 'reopen.done', { number }),
    )
}
