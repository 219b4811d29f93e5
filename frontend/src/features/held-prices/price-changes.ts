import type { HeldPrice, Money } from '~/api/schema'
import { compareDecimals } from '~/lib/decimal'

type Prices = HeldPrice['wanted']

export interface PriceChange {
  side: 'external' | 'internal'
  /** The quantity from which it is the price; null for any. */
  from: string | null
  before: Money | null
  after: Money | null
}

const same = (a: Money | null, b: Money | null) =>
  a === b || (a !== null && b !== null && a.price === b.price && a.price_quantity === b.price_quantity && a.unit === b.unit)

/** Which prices are others afterwards, those of larger quantities below each. */
export function priceChanges(before: Prices, after: Prices): PriceChange[] {
  const changes = (['external', 'internal'] as const).flatMap((side): PriceChange[] => {
    const tiers = (prices: Prices) => new Map(prices[`${side}_bulk_prices`].map(({ quantity_from, price }) => [quantity_from, price]))
    const [old, next] = [tiers(before), tiers(after)]
    const quantities = [...new Set([...old.keys(), ...next.keys()])].sort(compareDecimals)
    return [
      { side, from: null, before: before[`${side}_price`], after: after[`${side}_price`] },
      ...quantities.map((from) => ({ side, from, before: old.get(from) ?? null, after: next.get(from) ?? null })),
    ]
  })
  return changes.filter((one) => !same(one.before, one.after))
}
