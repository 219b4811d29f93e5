import { change } from '~/api/change'
import { $api, client, data, LONG_TIMEOUT } from '~/api/client'
import { availabilityTypeValues } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { articleRef } from '~/features/catalog/articles/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import type { SentBy } from '~/kit/records/contract'
import { crud } from '~/kit/records/crud'

const BULK = '/api/admin/prices/bulk'

/** Maximum number of stocks whose prices one call changes. */
export const MAX_STOCKS_PER_CALL = 500

export type PriceOfStock = SentBy<typeof BULK, 'put'>['prices'][number]

export const prices = {
  ...crud('/api/admin/prices', {
    filters: {
      search: { kind: 'search' },
      article_id: { kind: 'ref', source: articleRef },
      article_type_id: { kind: 'ref', source: articleTypeRef },
      material_id: { kind: 'ref', source: materialRef },
      warehouse_id: { kind: 'ref', source: warehouseRef },
      availability_type: { kind: 'enum', values: availabilityTypeValues },
      priced: { kind: 'bool' },
      updated_at: { kind: 'date', optional: true },
    },
    sorts: ['article_number', 'updated_at'],
    // the usual order of a price list
    defaultSort: 'article_number',
    search: 'search',
  }),
  /** Query for the number of prices under review, from the metadata of their first page. */
  held: () => $api.queryOptions('get', '/api/admin/held-prices', { params: { query: { 'page[size]': 1 } } }),
  /** Withdraws prices under review. */
  refuse: (ids: number[]) => {
    const selection = { ids, count: ids.length }
    const body = { selection, change: { field: 'decision', value: 'refuse' } } as const
    return change(data(client.POST('/api/admin/held-prices/bulk-change', { body })))
  },
  saveMany: (body: PriceOfStock[]) => change(data(client.PUT(BULK, { body: { prices: body }, headers: LONG_TIMEOUT }))),
}
