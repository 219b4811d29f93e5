import { useSearchParams } from 'react-router'
import { CART_PARAM, useCalculator } from '~/features/pricing/price-calculator/ref'

/** The sample cart whose subtotals are shown, as the address says; null for whoever may not see what carts cost. */
export function useCart(): { may: boolean; cart: number | null; choose: (cart: number | null) => void } {
  const may = useCalculator() !== null
  const [params, setParams] = useSearchParams()
  const id = params.get(CART_PARAM) ?? ''
  return {
    may,
    cart: may && /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null,
    choose: (cart) =>
      setParams(
        (before) => {
          if (cart === null) before.delete(CART_PARAM)
          else before.set(CART_PARAM, String(cart))
          return before
        },
        { replace: true, preventScrollReset: true },
      ),
  }
}
