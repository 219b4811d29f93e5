import { $api, ASKS_ANOTHER_SYSTEM, client, data } from '~/api/client'
import { queryClient } from '~/api/query'
import type { AvailabilityItem, AvailabilityResult, PriceOverTimeInput, Quote, QuoteLine, Warehouse } from '~/api/schema'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import type { QuoteRequest } from './cart'

/** Quote of a cart, and its lines by the keys of the form's lines. */
export interface CalculatedQuote {
  quote: Quote
  lines: ReadonlyMap<string, QuoteLine>
}

const PATH = '/api/admin/quotes'

export const quotes = {
  /**
   * Quotes a cart. The result includes the keys of the lines that were sent, since the form may have other
   * lines by then.
   */
  cart: ({ body, keys }: QuoteRequest) => ({
    queryKey: ['post', PATH, { body }, keys],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<CalculatedQuote | null> => {
      const [quote] = (await data(client.POST(PATH, { body, signal }))).data
      return quote ? { quote, lines: new Map(quote.lines.map((line) => [keys[line.index] ?? '', line])) } : null
    },
  }),
  overTime: (body: PriceOverTimeInput) => $api.queryOptions('post', `${PATH}/over-time`, { body }),
  processings: () => $api.queryOptions('get', '/api/admin/processings', { params: { query: { 'page[size]': 200, sort: 'name' } } }),
}

/** Line of a cart whose availability is requested. */
type AvailabilityLine = Pick<AvailabilityItem, 'article_number' | 'quantity' | 'unit' | 'warehouse_short_code'> & {
  warehouse_id?: number | null | undefined
}

const AVAILABILITY = '/api/v1/availability'
/** Milliseconds for which an answer is cached. */
const STALE_TIME = 30_000

async function itemOf({ warehouse_id, warehouse_short_code, ...line }: AvailabilityLine): Promise<AvailabilityItem> {
  const warehouse = warehouse_id ? ((await queryClient.fetchQuery(warehouseRef.one(warehouse_id))) as Warehouse) : null
  return { ...line, warehouse_short_code: warehouse?.short_code ?? warehouse_short_code ?? null }
}

/** Availability of each line; the server may ask another system for it. */
export const availability = (seller_id: number | null, lines: readonly AvailabilityLine[], tenant_id: number | null) => ({
  queryKey: ['post', AVAILABILITY, { seller_id, lines, tenant_id }],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AvailabilityResult[]> => {
    const body = { seller_id, items: await Promise.all(lines.map(itemOf)) }
    const params = { query: tenant_id === null ? {} : { tenant_id } }
    return (await data(client.POST(AVAILABILITY, { body, params, headers: ASKS_ANOTHER_SYSTEM, signal }))).data
  },
  staleTime: STALE_TIME,
  retry: false,
})
