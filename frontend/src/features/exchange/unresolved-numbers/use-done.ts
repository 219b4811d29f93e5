import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { UnresolvedNumber } from '~/api/schema'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { unresolvedNumbers } from './api'

/** Runs a mutation and reports its result; while it is running it is not started again. */
function useNotifyDone() {
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  async function run<T>(request: () => Promise<T>, messageOf: (result: T) => string) {
    if (busy) return
    setBusy(true)
    try {
      notify.success(messageOf(await request()))
    } catch (error) {
      notify.error(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}

/** Imports the rows whose numbers have been matched, and says how many imports that starts. */
export function useReplay() {
  const { t } = useTranslation('unresolvedNumbers')
  const { busy, run } = useNotifyDone()
  return { busy, replay: () => run(unresolvedNumbers.replay, ({ imports }) => t('replay.done', { count: imports.length })) }
}

/** Returns a function that ignores a number or stops ignoring it. */
export function useIgnore() {
  const { t } = useTranslation('unresolvedNumbers')
  const { run } = useNotifyDone()
  return ({ id, number }: UnresolvedNumber, ignored: boolean) =>
    run(
      () => unresolvedNumbers.ignore(id, ignored),
      () => t(ignored ? 'ignore.done' : 'reopen.done', { number }),
    )
}
