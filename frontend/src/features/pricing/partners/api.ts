import { $api, client, data } from '~/api/client'
import { download, FILE } from '~/api/download'
import type { Quote, Unit } from '~/api/schema'
import { crud } from '~/kit/records/crud'
import type { ExportFormat } from '~/kit/table/exporter'

const PARTNER = '/api/admin/partners/{id}'
const at = (id: number) => ({ params: { path: { id } } })

/** Requested quantity of an article. */
export interface RequestedQuantity {
  article_id: number
  quantity: string
  unit: Unit
}

export const partnerList = {
  ...crud('/api/admin/partners', {
    filters: {
      search: { kind: 'search' },
      company: { kind: 'text' },
      short_code: { kind: 'text' },
      place: { kind: 'text', optional: true },
    },
    sorts: ['company', 'short_code'],
    defaultSort: 'company',
    search: 'search',
  }),
  terms: (id: number) => $api.queryOptions('get', `${PARTNER}/terms`, at(id)),
  sheet: (id: number) => $api.queryOptions('get', `${PARTNER}/price-sheet`, at(id)),
  saveSheet: (id: number, format: ExportFormat) =>
    download(client.GET(`${PARTNER}/price-sheet/export`, { params: { path: { id }, query: { format } }, ...FILE })),
  /** Quote of one line for a partner, as the partner sees it. */
  net: (buyer_id: number, line: RequestedQuantity) => {
    const body = { carts: [{ buyer_id, as_customer: true, lines: [{ ...line, processings: [] }] }], explain: false }
    return {
      queryKey: ['post', '/api/admin/quotes', { body }],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Quote | null> =>
        (await data(client.POST('/api/admin/quotes', { body, signal }))).data[0] ?? null,
    }
  },
}
