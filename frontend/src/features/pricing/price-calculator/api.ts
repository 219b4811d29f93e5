import { $api, ASKS_ANOTHER_SYSTEM, client, data } from '~/api/client'
import { queryClient } from '~/api/query'
import type { AvailabilityItem, AvailabilityResult, PriceOverTimeInput, Quote, QuoteLine, Warehouse } from '~/api/schema'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import type { Question } from './cart'

/** What a cart costs, and its lines by the form's. */
export interface Calculated {
  quote: Quote
  lines: ReadonlyMap<string, QuoteLine>
}

const PATH = '/api/admin/quotes'

export const quotes = {
  /** Kept together with the lines that were asked for: those of the form may be others by then. */
  of: ({ body, keys }: Question) => ({
    queryKey: ['post', PATH, { body }, keys],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Calculated | null> => {
      const [quote] = (await data(client.POST(PATH, { body, signal }))).data
      return quote ? { quote, lines: new Map(quote.lines.map((line) => [keys[line.index] ?? '', line])) } : null
    },
  }),
  overTime: (body: PriceOverTimeInput) => $api.queryOptions('post', `${PATH}/over-time`, { body }),
  processings: () => $api.queryOptions('get', '/api/admin/processings', { params: { query: { 'page[size]': 200, sort: 'name' } } }),
}

/** A line of a cart whose availability is asked for. */
type AskedLine = Pick<AvailabilityItem, 'article_number' | 'quantity' | 'unit' | 'warehouse_short_code'> & {
  warehouse_id?: number | null | undefined
}

const AVAILABILITY = '/api/v1/availability'
/** Time for which an answer is not asked for again. */
const FRESH = 30_000

async function itemOf({ warehouse_id, warehouse_short_code, ...line }: AskedLine): Promise<AvailabilityItem> {
  const warehouse = warehouse_id ? ((await queryClient.fetchQuery(warehouseRef.one(warehouse_id))) as Warehouse) : null
  return { ...line, warehouse_short_code: warehouse?.short_code ?? warehouse_short_code ?? null }
}

/** Answers for each line whether there is enough; another system may be asked for it. */
export const availability = (seller_id: number | null, lines: readonly AskedLine[], tenant_id: number | null) => ({
  queryKey: ['post', AVAILABILITY, { seller_id, lines, tenant_id }],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<AvailabilityResult[]> => {
    const body = { seller_id, items: await Promise.all(lines.map(itemOf)) }
    const params = { query: tenant_id === null ? {} : { tenant_id } }
    return (await data(client.POST(AVAILABILITY, { body, params, headers: ASKS_ANOTHER_SYSTEM, signal }))).data
  },
  staleTime: FRESH,
  retry: false,
})
