import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { UnresolvedNumber } from '~/api/schema'
import { useErrorText } from '~/kit/feedback/error-text'
import { notify } from '~/kit/feedback/snackbar'
import { unresolvedNumbers } from './api'

/** Imports the rows whose numbers are matched by now, and says how many imports that makes. */
export function useReplay() {
  const { t } = useTranslation('unresolvedNumbers')
  const errorText = useErrorText()
  return useMutation({
    mutationFn: () => unresolvedNumbers.replay(),
    onSuccess: ({ imports }) => notify.success(t('replay.done', { count: imports.length })),
    onError: (error) => notify.error(errorText(error)),
  })
}

/** Says that nobody wants to hear of a number, or that somebody does again. */
export function useIgnore() {
  const { t } = useTranslation('unresolvedNumbers')
  const errorText = useErrorText()
  return useMutation({
    mutationFn: ({ row, ignored }: { row: UnresolvedNumber; ignored: boolean }) => unresolvedNumbers.ignore(row.id, ignored),
    onSuccess: (_, { row, ignored }) => notify.success(t(ignored ? 'ignore.done' : 'reopen.done', { number: row.number })),
    onError: (error) => notify.error(errorText(error)),
  })
}
