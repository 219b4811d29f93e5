import { $api, client, data } from '~/api/client'
import type { PriceOverTimeInput, Quote, QuoteLine } from '~/api/schema'
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
