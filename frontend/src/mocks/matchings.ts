import type { RequestHandler } from 'msw'
import { crud } from './crud'
import type { Mock } from './server'

/** Matchings of articles and warehouses. */
export function matchings(mock: Mock): RequestHandler[] {
  const { db } = mock
  return crud(mock, '/api/admin/matchings', {
    rows: () => db.matchings,
    right: 'matching',
    sort: 'external_article_number',
    textFields: ['external_article_number', 'external_warehouse_identifier', 'external_tenant_identifier'],
    unique: 'id',
    row: ({ article_id, warehouse_id, ...body }) => {
      const article = db.articles.find(({ id }) => id === article_id)
      const warehouse = db.warehouses.find(({ id }) => id === warehouse_id)
      return {
        ...body,
        article: article ? { id: article.id, article_number: article.article_number } : null,
        warehouse: warehouse ? { id: warehouse.id, short_code: warehouse.short_code } : null,
        tenant: { id: 1, short_code: 'NORD' },
      }
    },
  })
}
