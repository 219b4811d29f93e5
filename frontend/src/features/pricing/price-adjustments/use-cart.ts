import { CART_PARAM, useCalculator } from '~/features/pricing/price-calculator/ref'
import { useAddressParams } from '~/lib/address-params'

/**
 * Sample cart in the URL whose subtotals are shown; `mayCalculate` is false for users who may not see the
 * prices of carts.
 */
export function useCart(): { mayCalculate: boolean; cart: number | null; choose: (cart: number | null) => void } {
  const mayCalculate = useCalculator() !== null
  const [params, changeParams] = useAddressParams()
  const id = params.get(CART_PARAM) ?? ''
  return {
    mayCalculate,
    cart: mayCalculate && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null,
    choose: (cart) =>
      changeParams((nextParams) => (cart === null ? nextParams.delete(CART_PARAM) : nextParams.set(CART_PARAM, String(cart))), {
        replace: true,
        preventScrollReset: true,
      }),
  }
}
