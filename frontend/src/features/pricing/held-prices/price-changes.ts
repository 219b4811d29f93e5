import type { HeldPrice, Money, Unit } from '~/api/schema'
import { compareDecimals } from '~/lib/decimal'

type Prices = HeldPrice['wanted']

export interface PriceChange {
  side: 'external' | 'internal'
  /** Quantity from which the price applies; null for any quantity. */
  from: { quantity: string; unit: Unit | null } | null
  before: Money | null
  after: Money | null
}

const isSame = (a: Money | null, b: Money | null) =>
  a === b || (a !== null && b !== null && a.price === b.price && a.price_quantity === b.price_quantity && a.unit === b.unit)

/** Returns the prices that differ, each followed by those of larger quantities. */
export function priceChanges(before: Prices, after: Prices): PriceChange[] {
  const changes = (['external', 'internal'] as const).flatMap((side): PriceChange[] => {
    const tiers = (prices: Prices) => prices[`${side}_bulk_prices`]
    const [old, next] = [tiers(before), tiers(after)]
    const priceFrom = (tierList: typeof old, { quantity, unit }: NonNullable<PriceChange['from']>) =>
      tierList.find((tier) => tier.quantity_from === quantity && tier.quantity_unit === unit)?.price ?? null
    const all = new Map([...old, ...next].map((tier) => [`${tier.quantity_from} ${tier.quantity_unit}`, tier]))
    const units = [...new Set([...all.values()].map((tier) => tier.quantity_unit))]
    // sorted within each unit only, since comparing units is up to the server
    const quantities = units.flatMap((unit) =>
      [...all.values()]
        .filter((tier) => tier.quantity_unit === unit)
        .map((tier) => ({ quantity: tier.quantity_from, unit }))
        .sort((a, b) => compareDecimals(a.quantity, b.quantity)),
    )
    return [
      { side, from: null, before: before[`${side}_price`], after: after[`${side}_price`] },
      ...quantities.map((from) => ({ side, from, before: priceFrom(old, from), after: priceFrom(next, from) })),
    ]
  })
  return changes.filter((one) => !isSame(one.before, one.after))
}
