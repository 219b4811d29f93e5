import { draftAt, dropDraft, keepDraft } from '~/session/drafts'
import { priceCalculator } from './screen'

const placeOf = (seller: number | null) => `${priceCalculator.path} of ${seller}`

/** Query string of the cart that was last calculated for a seller in this tab; empty if there is none. */
export const lastCart = (seller: number | null): string => String(draftAt(placeOf(seller))?.values.cart ?? '')

export function keepCart(seller: number | null, cart: string): void {
  if (cart === '') dropDraft(placeOf(seller))
  else keepDraft(placeOf(seller), { version: null, base: {}, values: { cart } })
}
