import { $api } from '~/api/client'
import { availabilityTypeValues, type QuantityInput } from '~/api/schema'
import { articleTypeRef } from '~/features/catalog/article-types/ref'
import { articleRef } from '~/features/catalog/articles/ref'
import { materialRef } from '~/features/catalog/materials/ref'
import { importRef } from '~/features/exchange/imports/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { crud } from '~/kit/records/crud'

export const stocks = {
  ...crud('/api/admin/stocks', {
    filters: {
      search: { kind: 'search' },
      article_id: { kind: 'ref', source: articleRef },
      article_type_id: { kind: 'ref', source: articleTypeRef },
      material_id: { kind: 'ref', source: materialRef },
      warehouse_id: { kind: 'ref', source: warehouseRef },
      availability_type: { kind: 'enum', values: availabilityTypeValues },
      quantity: { kind: 'decimal' },
      updated_at: { kind: 'date' },
      known_at: { kind: 'date' },
      import_id: { kind: 'ref', source: importRef },
    },
    sorts: ['article_number', 'quantity', 'updated_at'],
    defaultSort: '-updated_at',
    search: 'search',
  }),
  /** What a quantity of an article is in its other units; not kept, because it changes with the article. */
  quantities: (article: number) => (body: QuantityInput) =>
    $api.queryOptions('post', '/api/admin/articles/{id}/quantities', { params: { path: { id: article } }, body }, { gcTime: 0 }),
}
