import type { PriceImpact } from '~/api/schema'
import { totalChanges } from './total-changes'

/** True if no price, margin or sample cart changes, and no price has to be reviewed. */
export const nothingChanges = (impact: PriceImpact): boolean =>
  impact.articles_touched === 0 &&
  impact.below_internal_before === impact.below_internal_after &&
  impact.held === 0 &&
  !impact.sample_carts?.some(totalChanges)
