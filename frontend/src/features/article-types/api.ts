import { $api, client, data, PATIENT } from '~/api/client'
import { download, FILE } from '~/api/download'
import { type ArticleType, type ArticleTypeInput, type ArticleTypePreviewInput, type paths, unitValues } from '~/api/schema'
import { articleTypeGroupRef } from '~/features/article-type-groups/api'
import { attributeRef } from '~/features/attributes/api'
import { tradeDimensionRef } from '~/features/trade-dimensions/api'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import type { RefSource } from '~/kit/list/ref-source'
import { bulkChange, bulkRemoveConfirmed } from '~/kit/list/selection/bulk'

const LIST = '/api/admin/article-types'
const ONE = '/api/admin/article-types/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type ArticleTypeBody = Omit<ArticleTypeInput, 'version' | 'change_articles'>

export const articleTypeList = listSpec<Query>()({
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text' },
    article_type_group_id: { kind: 'ref', source: articleTypeGroupRef },
    attribute_id: { kind: 'ref', source: attributeRef },
    trade_dimension_id: { kind: 'ref', source: tradeDimensionRef },
    base_unit_of_measure: { kind: 'enum', values: unitValues },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'search',
})

export const articleTypes = {
  // articles change with their type
  keys: [
    ['get', LIST],
    ['get', ONE],
    ['get', '/api/admin/articles'],
    ['get', '/api/admin/articles/{id}'],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(articleTypeList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  usage: (id: number) => $api.queryOptions('get', '/api/admin/article-types/{id}/usage', { params: { path: { id } } }),
  create: (body: ArticleTypeBody) => data(client.POST(LIST, { body })),
  /** Its articles change with it. */
  update: (id: number, body: ArticleTypeInput) => data(client.PUT(ONE, { params: { path: { id } }, body, headers: PATIENT })),
  /** What a change does to the articles of the type. */
  effect: (id: number, body: ArticleTypeInput) =>
    $api.queryOptions(
      'post',
      '/api/admin/article-types/{id}/effect',
      { params: { path: { id } }, body, headers: PATIENT },
      { gcTime: 0, retry: false },
    ),
  /** All of it as a file. */
  effectFile: (id: number, body: ArticleTypeInput) =>
    download(client.POST('/api/admin/article-types/{id}/effect-file', { params: { path: { id } }, body, ...FILE })),
  export: exporter(`${LIST}/export`, articleTypeList),
  bulk: {
    remove: bulkRemoveConfirmed(LIST, articleTypeList),
    change: bulkChange(LIST, articleTypeList, () => import('./bulk')),
  },
  remove: (id: number, confirm: string) => data(client.DELETE(ONE, { params: { path: { id }, query: { confirm } } })),
  preview: (body: ArticleTypePreviewInput) => $api.queryOptions('post', '/api/admin/article-types/preview', { body }),
}

export const articleTypeRef: RefSource<ArticleType> = {
  find: (search) =>
    $api.queryOptions('get', LIST, {
      params: { query: { 'page[size]': 20, sort: 'name', ...(search && { filter: { 'filter[search]': search } }) } },
    }),
  one: articleTypes.one,
  id: (type) => type.id,
  label: (type) => type.name,
}

export const preload = (search: string) => articleTypes.list(readListState(articleTypeList, search))
