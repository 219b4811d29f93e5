import type { Stock } from '~/api/schema'
import type { DateForm } from '~/features/logistics/delivery-date/address'
import { compareDecimals } from '~/lib/decimal'

/**
 * Order of a stock's article: one unit, or less if there is less. A remnant is not an article, so only its
 * warehouse is given.
 */
export function orderOf({ article, warehouse, quantity, quantity_unit: unit, length, width, height }: Stock): Partial<DateForm> {
  if (length !== null || width !== null || height !== null) return { origin: 'warehouse', warehouse_id: warehouse.id }
  const isLessThanOne = quantity !== null && compareDecimals(quantity, '1') < 0
  return { origin: 'article', article_id: article.id, quantity: isLessThanOne ? quantity : '1', unit, warehouse_id: warehouse.id }
}
