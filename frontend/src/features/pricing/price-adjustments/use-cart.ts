import { CART_PARAM, useCalculator } from '~/features/pricing/price-calculator/ref'
import { useAddressParams } from '~/lib/address-params'

/**
 * Sample cart in the URL whose subtotals are shown; `may` is false for users who may not see the prices of
 * carts.
 */
export function useCart(): { may: boolean; cart: number | null; choose: (cart: number | null) => void } {
  const may = useCalculator() !== null
  const [params, changeParams] = useAddressParams()
  const id = params.get(CART_PARAM) ?? ''
  return {
    may,
    cart: may && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null,
    choose: (cart) =>
      changeParams((after) => (cart === null ? after.delete(CART_PARAM) : after.set(CART_PARAM, String(cart))), {
        replace: true,
        preventScrollReset: true,
      }),
  }
}
