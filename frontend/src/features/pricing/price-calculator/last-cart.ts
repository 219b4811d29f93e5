import { draftAt, dropDraft, keepDraft } from '~/session/drafts'
import { priceCalculator } from './screen'

const draftKey = (seller: number | null) => `${priceCalculator.path} of ${seller}`

/** Query string of the cart that was last calculated for a seller in this tab; empty if there is none. */
export const lastCart = (seller: number | null): string => String(draftAt(draftKey(seller))?.values.cart ?? '')

export function storeCart(seller: number | null, cart: string): void {
  if (cart === '') dropDraft(draftKey(seller))
  else keepDraft(draftKey(seller), { version: null, base: {}, values: { cart } })
}
