import type { ReactNode } from 'react'
import type { Import } from '~/api/schema'
import { impactOf } from '~/features/shared/price-impact/impact-calls'
import { useImpact, useMaySeeImpact } from '~/features/shared/price-impact/use-impact'
import { useErrorText } from '~/kit/ui/error-text'
import { notify } from '~/kit/ui/snackbar'
import { spokenName } from './import-name'
import { useConfirmRemovals } from './use-confirm-removals'

/** Types whose rows contain prices. */
const PRICED: readonly Import['type'][] = ['Price', 'Listing', 'PriceList']

/**
 * Asks for confirmation before a dry run is applied, showing its effect on prices and the records it
 * removes.
 */
export function useConfirmApply(): [confirm: (row: Import) => Promise<boolean>, dialog: ReactNode] {
  const confirmRemovals = useConfirmRemovals()
  const errorText = useErrorText()
  const maySeeImpact = useMaySeeImpact('listing')
  const [showImpact, dialog] = useImpact()
  async function confirm(row: Import) {
    if (maySeeImpact && row.undoes === null && PRICED.includes(row.type)) {
      try {
        if (!(await showImpact({ changeKind: 'import', name: spokenName(row), request: impactOf.import(row.id), skipsIfUnchanged: true })))
          return false
      } catch (error) {
        notify.error(errorText(error))
        return false
      }
    }
    return confirmRemovals(row)
  }
  return [confirm, dialog]
}
