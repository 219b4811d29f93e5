import { queryOptions } from '@tanstack/react-query'
import { $api, client, data, PATIENT } from '~/api/client'
import { type Attribute, type AttributeInput, attributeTypeValues, type paths } from '~/api/schema'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import type { RefSource } from '~/kit/list/ref-source'
import { bulkChange, bulkRemove } from '~/kit/list/selection/bulk'

const LIST = '/api/admin/attributes'
const ONE = '/api/admin/attributes/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type AttributeBody = Required<Omit<AttributeInput, 'version' | 'change_articles'>>

export const attributeList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    type: { kind: 'enum', values: attributeTypeValues },
    primary: { kind: 'bool' },
    updated_at: { kind: 'date' },
  },
  sorts: ['position', 'name', 'type', 'primary', 'updated_at'],
  defaultSort: 'position',
  search: 'name',
})

export const attributes = {
  keys: [
    ['get', LIST],
    ['get', ONE],
    // articles change with their attributes
    ['get', '/api/admin/articles'],
    ['get', '/api/admin/articles/{id}'],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(attributeList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  usage: (id: number) => $api.queryOptions('get', '/api/admin/attributes/{id}/usage', { params: { path: { id } } }),
  create: (body: AttributeBody) => data(client.POST(LIST, { body })),
  /** Articles change with it. */
  update: (id: number, body: AttributeInput) => data(client.PUT(ONE, { params: { path: { id } }, body, headers: PATIENT })),
  /** What a change does to articles. */
  effect: (id: number, body: AttributeInput) =>
    $api.queryOptions(
      'post',
      '/api/admin/attributes/{id}/effect',
      { params: { path: { id } }, body, headers: PATIENT },
      { gcTime: 0, retry: false },
    ),
  export: exporter(`${LIST}/export`, attributeList),
  bulk: { remove: bulkRemove(LIST, attributeList), change: bulkChange(LIST, attributeList, () => import('./bulk')) },
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
  order: (ids: number[]) => data(client.PUT('/api/admin/attributes/order', { body: { ids } })),
  /** Every attribute in its order: an order cannot be made of one page. */
  all: () =>
    queryOptions({
      queryKey: ['get', LIST, 'all'],
      async queryFn({ signal }) {
        const rows: Attribute[] = []
        for (let page = 1; ; page++) {
          const query = { 'page[number]': page, 'page[size]': 200, sort: 'position' as const }
          const answer = await data(client.GET(LIST, { params: { query }, signal }))
          rows.push(...answer.data)
          if (page >= answer.meta.last_page) return rows
        }
      },
    }),
}

export const attributeRef: RefSource<Attribute> = {
  find: (search) =>
    $api.queryOptions('get', LIST, { params: { query: { 'page[size]': 20, ...(search && { filter: { 'filter[name]': search } }) } } }),
  one: attributes.one,
  id: (attribute) => attribute.id,
  label: (attribute) => attribute.name,
}

export const preload = (search: string) => attributes.list(readListState(attributeList, search))
