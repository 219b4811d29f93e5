import type { BulkPrice, Price, Unit } from '~/api/schema'
import { unitValues } from '~/api/schema'
import { choice, decimal, z } from '~/kit/form/schema'
import { PRICE_OF, type TierList } from './sheet'

// that no quantity stands twice only the server knows: two units may mean the same
const tier = z.object({
  quantity_from: decimal({ above: 0 }),
  quantity_unit: choice(unitValues),
  price: decimal({ min: 0, before: 8, after: 4 }),
  price_quantity: decimal({ above: 0 }),
  unit: choice(unitValues),
})
export const tiersSchema = z.object({ external_bulk_prices: z.array(tier), internal_bulk_prices: z.array(tier) })
export type TiersBody = z.output<typeof tiersSchema>

export interface TierForm {
  quantity_from: string
  quantity_unit: Unit
  price: string
  price_quantity: string
  unit: Unit
}
export type TiersForm = Record<TierList, TierForm[]>

const formOf = (tiers: readonly BulkPrice[], { article }: Price): TierForm[] =>
  tiers.map(({ quantity_unit, ...tier }) => ({ ...tier, quantity_unit: quantity_unit ?? article.listing_unit }))

export const toTiersForm = (row: Price): TiersForm => ({
  external_bulk_prices: formOf(row.external_bulk_prices, row),
  internal_bulk_prices: formOf(row.internal_bulk_prices, row),
})

/** A further tier is counted as the one before, the first one as the price. */
export function nextTier(list: TierList, row: Price, before: TierForm | undefined): TierForm {
  const { price_quantity, unit } = before ?? row[PRICE_OF[list]] ?? { price_quantity: '1', unit: row.article.price_unit }
  return { quantity_from: '', quantity_unit: before?.quantity_unit ?? row.article.listing_unit, price: '', price_quantity, unit }
}
