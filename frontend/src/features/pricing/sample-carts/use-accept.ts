import { useTranslation } from 'react-i18next'
import type { SampleCart } from '~/api/schema'
import { useAllowedOperations } from '~/kit/records/resources'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { useOfferUndo } from '~/kit/ui/use-undo'
import { sampleCarts } from './api'
import { sampleCart } from './resource'

/**
 * Returns a function that accepts the current total as the expected one and offers an undo; null for users
 * who may not.
 */
export function useAcceptTotal(): ((row: SampleCart) => Promise<void>) | null {
  const { t } = useTranslation('sampleCarts')
  const offer = useOfferUndo()
  const errorText = useErrorText()
  const mayAccept = useAllowedOperations(sampleCart).update
  if (!mayAccept) return null
  return async (row) => {
    try {
      offer(t('accept.done', { name: row.name }), await sampleCarts.accept(row))
    } catch (error) {
      notify.error(errorText(error))
    }
  }
}

/** True if the total differs from the expected one. */
export const isAcceptable = ({ total, expected_total }: SampleCart) => total !== null && total !== expected_total
