import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { NumberMatch } from '~/api/schema'
import { importing } from '~/features/exchange/imports/resource'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { useOfferUndo } from '~/kit/ui/use-undo'
import { keepTenant } from '~/session/tenant'
import { unresolvedNumbers } from './api'

/**
 * Matches numbers with their suggestions and offers to undo that; the message names those that stay
 * unresolved.
 */
export function useAcceptSuggestions() {
  const { t } = useTranslation('unresolvedNumbers')
  const errorText = useErrorText()
  const offerUndo = useOfferUndo()
  const tenant = keepTenant(useLocation().search)
  return useMutation({
    mutationFn: (matches: NumberMatch[]) => unresolvedNumbers.matchAll(matches),
    onSuccess(answer) {
      const { done, imports, refused } = answer
      const links = imports.map((id) => ({ label: t('result.link', { id }), to: `${importing.path}/${id}${tenant}` }))
      if (done > 0) offerUndo(t(imports.length > 0 ? 'accept.doneReplayed' : 'accept.done', { count: done }), answer, { links })
      else if (refused[0]) notify.error(refused[0].messages.join(' '))
    },
    onError: (error) => notify.error(errorText(error)),
  })
}
