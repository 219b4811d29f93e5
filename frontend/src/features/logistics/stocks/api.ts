import { $api, ASKS_ANOTHER_SYSTEM, client, data } from '~/api/client'
import { queryClient } from '~/api/query'
import { availabilityTypeValues, type LiveStock, type QuantityInput } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { attributeValue } from '~/features/catalog/articles/attribute-value/ref'
import { articleRef } from '~/features/catalog/articles/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { importRef } from '~/features/exchange/imports/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import type { Query } from '~/kit/records/contract'
import { crud } from '~/kit/records/crud'
import { type ListState, toWire } from '~/kit/table/list-state'

const LIST = '/api/admin/stocks'

const all = crud(LIST, {
  filters: {
    search: { kind: 'search' },
    article_id: { kind: 'ref', source: articleRef },
    article_type_id: { kind: 'ref', source: articleTypeRef },
    material_id: { kind: 'ref', source: materialRef },
    attribute: attributeValue,
    warehouse_id: { kind: 'ref', source: warehouseRef },
    availability_type: { kind: 'enum', values: availabilityTypeValues },
    quantity: { kind: 'decimal', optional: true },
    length: { kind: 'decimal' },
    size: { kind: 'enum', values: ['whole', 'remnant'] },
    updated_at: { kind: 'date' },
    known_at: { kind: 'date' },
    import_id: { kind: 'ref', source: importRef },
  },
  sorts: ['article_number', 'quantity', 'updated_at'],
  defaultSort: '-updated_at',
  search: 'search',
  bulk: () => import('./bulk'),
})

export const stocks = {
  ...all,
  /** Sums of the stocks that match the filters, with a page of articles. */
  sums: (state: ListState) => $api.queryOptions('get', `${LIST}/sums`, { params: { query: toWire<Query<typeof LIST>>(all.spec, state) } }),
  /**
   * Requests the quantity from the tenant's own system: when the record is opened and on demand, not after
   * each change.
   */
  live: (id: number) =>
    ({
      queryKey: ['get', `${LIST}/{id}/live`, id],
      async queryFn({ signal }: { signal: AbortSignal }): Promise<LiveStock> {
        const answer = await data(client.GET(`${LIST}/{id}/live`, { params: { path: { id } }, headers: ASKS_ANOTHER_SYSTEM, signal }))
        // the list shows the answer as the last known quantity
        if (answer.answered_by === 'live') void queryClient.invalidateQueries({ queryKey: ['get', LIST] })
        return answer
      },
      retry: false,
      refetchOnWindowFocus: false,
      meta: { fixed: true },
    }) as const,
  /**
   * Query for a quantity of an article in its other units; not cached, because the result changes with the
   * article.
   */
  quantities: (article: number) => (body: QuantityInput) =>
    $api.queryOptions('post', '/api/admin/articles/{id}/quantities', { params: { path: { id: article } }, body }, { gcTime: 0 }),
}
