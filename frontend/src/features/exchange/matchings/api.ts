import { articleRef } from '~/features/catalog/articles/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { crud } from '~/kit/records/crud'

export const matchings = crud('/api/admin/matchings', {
  filters: {
    search: { kind: 'search' },
    external_article_number: { kind: 'text' },
    article_id: { kind: 'ref', source: articleRef },
    external_warehouse_identifier: { kind: 'text' },
    warehouse_id: { kind: 'ref', source: warehouseRef },
    external_tenant_identifier: { kind: 'text' },
    updated_at: { kind: 'date' },
  },
  sorts: ['external_article_number', 'external_warehouse_identifier', 'updated_at'],
  defaultSort: 'external_article_number',
  search: 'search',
})
