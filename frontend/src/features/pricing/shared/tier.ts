import type { BulkPrice, Money, Unit } from '~/api/schema'
import { unitValues } from '~/api/schema'
import { choice, decimal, z } from '~/kit/form/schema'

const tierSchema = z.object({
  quantity_from: decimal({ above: 0 }),
  quantity_unit: choice(unitValues),
  price: decimal({ min: 0, before: 8, after: 4, invalid: 'amount' }),
  price_quantity: decimal({ above: 0 }),
  unit: choice(unitValues),
})

/**
 * Requires different starting quantities. Quantities in different units may be equal, which only the server
 * can check.
 */
export const tiersSchema = () =>
  z.array(tierSchema).check(({ value, issues }) => {
    const usedQuantities = new Set<string>()
    for (const [at, { quantity_from: from, quantity_unit: unit }] of value.entries()) {
      const quantity = `${from} ${unit}`
      if (from !== '' && usedQuantities.has(quantity))
        issues.push({ code: 'custom', input: value, path: [at, 'quantity_from'], message: 'quantityTwice' })
      usedQuantities.add(quantity)
    }
  })

export interface TierForm {
  quantity_from: string
  quantity_unit: Unit
  price: string
  price_quantity: string
  unit: Unit
}

/**
 * Converts a tier to the values of the form; without a unit of its own, its quantity is in the unit that the
 * article is offered in.
 */
export const tierForm = ({ quantity_from, quantity_unit, price, price_quantity, unit }: BulkPrice, listing: Unit): TierForm => ({
  quantity_from,
  quantity_unit: quantity_unit ?? listing,
  price,
  price_quantity,
  unit,
})

/** Returns a new tier with the units of the one before it, or of the price if it is the first. */
export function nextTier(before: TierForm | undefined, price: Omit<Money, 'price'>, listing: Unit): TierForm {
  const { price_quantity, unit } = before ?? price
  return { quantity_from: '', quantity_unit: before?.quantity_unit ?? listing, price: '', price_quantity, unit }
}
