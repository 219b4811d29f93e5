import { $api, client, data } from '~/api/client'
import type { CartDatesInput, EarliestDelivery } from '~/api/schema'
import { batchLoads } from '~/lib/batch-loads'

const STOCK_DATES = '/api/admin/shipping/stock-dates'
const BATCH_MAX = 200

/** Batching loader of each destination. */
const loaders = new Map<number, (stock: number) => Promise<EarliestDelivery | null>>()

function loaderTo(to_node_id: number) {
  const loader =
    loaders.get(to_node_id) ??
    batchLoads(BATCH_MAX, async (stock_ids: number[]) => {
      const dates = (await data(client.POST(STOCK_DATES, { body: { stock_ids, to_node_id } }))).data
      return new Map(dates.map((date) => [stock_ids[date.index] ?? 0, date]))
    })
  loaders.set(to_node_id, loader)
  return loader
}

export const earliestDates = {
  /** Delivery date of a stock if it is ordered now. All stocks of a page are requested together. */
  stock: (stock: number, to: number) => ({
    queryKey: ['post', STOCK_DATES, { to, stock }],
    queryFn: () => loaderTo(to)(stock),
  }),
  cart: (body: CartDatesInput) => $api.queryOptions('post', '/api/admin/shipping/cart-dates', { body }),
}
