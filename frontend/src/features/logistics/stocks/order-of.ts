import type { Stock } from '~/api/schema'
import type { DateForm } from '~/features/logistics/delivery-date/address'
import { compareDecimals } from '~/lib/decimal'

/** The order of what a stock holds, of one unit where there is that much. Remnants are no article, but are sent from their warehouse. */
export function orderOf({ article, warehouse, quantity, quantity_unit: unit, length, width, height }: Stock): Partial<DateForm> {
  if (length !== null || width !== null || height !== null) return { origin: 'warehouse', warehouse_id: warehouse.id }
  const isLess = quantity !== null && compareDecimals(quantity, '1') < 0
  return { origin: 'article', article_id: article.id, quantity: isLess ? quantity : '1', unit, warehouse_id: warehouse.id }
}
