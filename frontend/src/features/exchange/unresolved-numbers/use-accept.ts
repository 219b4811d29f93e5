import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { NumberMatch } from '~/api/schema'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { useOffer } from '~/kit/ui/use-undo'
import { unresolvedNumbers } from './api'

/** Matches numbers with what is suggested for them, and offers to undo that; the answer names those that stay open. */
export function useAccept() {
  const { t } = useTranslation('unresolvedNumbers')
  const errorText = useErrorText()
  const offer = useOffer()
  return useMutation({
    mutationFn: (matches: NumberMatch[]) => unresolvedNumbers.matchAll(matches),
    onSuccess(answer) {
      const { done, imports, refused } = answer
      if (done > 0) offer(t(imports.length > 0 ? 'accept.doneReplayed' : 'accept.done', { count: done }), answer)
      else if (refused[0]) notify.error(refused[0].messages.join(' '))
    },
    onError: (error) => notify.error(errorText(error)),
  })
}
