import { articleRef } from '~/features/catalog/articles/ref'
import { warehouseRef } from '~/features/logistics/warehouses/ref'
import { crud } from '~/kit/records/crud'

export const matchings = crud('/api/admin/matchings', {
  filters: {
    search: { kind: 'search' },
    external_article_number: { kind: 'text', optional: true },
    article_id: { kind: 'ref', source: articleRef, optional: true },
    external_warehouse_identifier: { kind: 'text', optional: true },
    warehouse_id: { kind: 'ref', source: warehouseRef, optional: true },
    external_tenant_identifier: { kind: 'text', optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['external_article_number', 'external_warehouse_identifier', 'updated_at'],
  defaultSort: 'external_article_number',
  search: 'search',
})
