import type { RequestHandler } from 'msw'
import { crud } from './crud'
import type { Mock } from './server'

/** What other systems call articles and warehouses. */
export function matchings({ db, guarded }: Mock): RequestHandler[] {
  return crud(
    { db, guarded },
    {
      table: 'matchings',
      right: 'matching',
      sort: 'external_article_number',
      textFields: ['external_article_number', 'external_warehouse_identifier', 'external_tenant_identifier'],
      unique: 'id',
      completed: ({ article_id, warehouse_id }) => {
        const article = db.articles.find(({ id }) => id === article_id)
        const warehouse = db.warehouses.find(({ id }) => id === warehouse_id)
        return {
          article: article ? { id: article.id, article_number: article.article_number } : null,
          warehouse: warehouse ? { id: warehouse.id, short_code: warehouse.short_code } : null,
          tenant: { id: 1, short_code: 'NORD' },
        }
      },
    },
  )
}
