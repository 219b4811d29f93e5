import type { PriceImpact } from '~/api/schema'
import { cartMoves } from './cart-moves'

/** True if no price, margin or sample cart changes, and no price has to be reviewed. */
export const nothingChanges = (of: PriceImpact): boolean =>
  of.articles_touched === 0 && of.below_internal_before === of.below_internal_after && of.held === 0 && !of.sample_carts?.some(cartMoves)
