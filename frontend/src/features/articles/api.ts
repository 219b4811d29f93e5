import { $api, client, data } from '~/api/client'
import type { ArticleInput, paths, QuantityInput } from '~/api/schema'
import { articleTypeGroupRef } from '~/features/article-type-groups/api'
import { articleTypeRef } from '~/features/article-types/api'
import { categoryRef } from '~/features/categories/api'
import { importRef } from '~/features/imports/ref'
import { materialRef } from '~/features/materials/api'
import { tradeDimensionRef } from '~/features/trade-dimensions/api'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import { bulkChange, bulkRemoveConfirmed } from '~/kit/list/selection/bulk'
import { attributeValue } from './attribute-value'

const LIST = '/api/admin/articles'
const ONE = '/api/admin/articles/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type ArticleBody = Required<Omit<ArticleInput, 'version'>>

export const articleList = listSpec<Query>()({
  filters: {
    search: { kind: 'search' },
    article_number: { kind: 'text' },
    article_name: { kind: 'text' },
    article_type_id: { kind: 'ref', source: articleTypeRef },
    material_id: { kind: 'ref', source: materialRef },
    attribute: attributeValue,
    article_type_group_id: { kind: 'ref', source: articleTypeGroupRef },
    category_id: { kind: 'ref', source: categoryRef(null) },
    trade_dimension_id: { kind: 'ref', source: tradeDimensionRef },
    weight_per_base_unit: { kind: 'decimal', unit: 'kg' },
    updated_at: { kind: 'date' },
    import_id: { kind: 'ref', source: importRef },
  },
  sorts: ['article_number', 'article_name', 'weight_per_base_unit', 'updated_at'],
  defaultSort: 'article_number',
  search: 'search',
})

export const articles = {
  keys: [
    ['get', LIST],
    ['get', ONE],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(articleList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  create: (body: ArticleBody) => data(client.POST(LIST, { body })),
  update: (id: number, body: ArticleInput) => data(client.PUT(ONE, { params: { path: { id } }, body })),
  export: exporter(`${LIST}/export`, articleList),
  bulk: { remove: bulkRemoveConfirmed(LIST, articleList), change: bulkChange(LIST, articleList, () => import('./bulk')) },
  remove: (id: number, confirm: string) => data(client.DELETE(ONE, { params: { path: { id }, query: { confirm } } })),
  preview: (body: ArticleInput) => $api.queryOptions('post', '/api/admin/articles/preview', { body }),
  /** Not kept, because it changes with the article. */
  quantities: (id: number) => (body: QuantityInput) =>
    $api.queryOptions('post', '/api/admin/articles/{id}/quantities', { params: { path: { id } }, body }, { gcTime: 0 }),
}

export const preload = (search: string) => articles.list(readListState(articleList, search))
