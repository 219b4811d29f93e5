import { CART_PARAM, useCalculator } from '~/features/pricing/price-calculator/ref'
import { useAddressParams } from '~/lib/address-params'

/** The sample cart whose subtotals are shown, as the address says; null for whoever may not see what carts cost. */
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
