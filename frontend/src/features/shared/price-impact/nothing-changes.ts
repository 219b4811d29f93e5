import type { PriceImpact } from '~/api/schema'
import { cartMoves } from './cart-moves'

/** Whether nobody pays or earns anything else, and nothing waits for a release. */
export const nothingChanges = (of: PriceImpact): boolean =>
  of.articles_touched === 0 && of.below_internal_before === of.below_internal_after && of.held === 0 && !of.sample_carts?.some(cartMoves)
