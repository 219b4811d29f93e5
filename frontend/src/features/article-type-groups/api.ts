import { $api, client, data } from '~/api/client'
import type { ArticleTypeGroup, ArticleTypeGroupInput, paths } from '~/api/schema'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import type { RefSource } from '~/kit/list/ref-source'
import { bulkRemove } from '~/kit/list/selection/bulk'

const LIST = '/api/admin/article-type-groups'
const ONE = '/api/admin/article-type-groups/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type ArticleTypeGroupBody = Omit<ArticleTypeGroupInput, 'version'>

export const articleTypeGroupList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    description: { kind: 'text' },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'description', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

export const articleTypeGroups = {
  keys: [
    ['get', LIST],
    ['get', ONE],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(articleTypeGroupList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  usage: (id: number) => $api.queryOptions('get', '/api/admin/article-type-groups/{id}/usage', { params: { path: { id } } }),
  create: (body: ArticleTypeGroupBody) => data(client.POST(LIST, { body })),
  update: (id: number, body: ArticleTypeGroupInput) => data(client.PUT(ONE, { params: { path: { id } }, body })),
  export: exporter(`${LIST}/export`, articleTypeGroupList),
  bulk: { remove: bulkRemove(LIST, articleTypeGroupList) },
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
}

export const articleTypeGroupRef: RefSource<ArticleTypeGroup> = {
  find: (search) =>
    $api.queryOptions('get', LIST, {
      params: { query: { 'page[size]': 20, sort: 'name', ...(search && { filter: { 'filter[name]': search } }) } },
    }),
  one: articleTypeGroups.one,
  id: (group) => group.id,
  label: (group) => group.name,
}

export const preload = (search: string) => articleTypeGroups.list(readListState(articleTypeGroupList, search))
