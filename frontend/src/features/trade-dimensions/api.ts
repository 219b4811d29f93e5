import { $api, client, data, PATIENT } from '~/api/client'
import type { paths, TradeDimension, TradeDimensionInput } from '~/api/schema'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import type { RefSource } from '~/kit/list/ref-source'
import { bulkRemove } from '~/kit/list/selection/bulk'

const LIST = '/api/admin/trade-dimensions'
const ONE = '/api/admin/trade-dimensions/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type TradeDimensionBody = Omit<TradeDimensionInput, 'version'>

export const tradeDimensionList = listSpec<Query>()({
  filters: { name: { kind: 'text' }, updated_at: { kind: 'date' } },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

export const tradeDimensions = {
  keys: [
    ['get', LIST],
    ['get', ONE],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(tradeDimensionList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  usage: (id: number) => $api.queryOptions('get', '/api/admin/trade-dimensions/{id}/usage', { params: { path: { id } } }),
  create: (body: TradeDimensionBody) => data(client.POST(LIST, { body })),
  /** Checked against the articles of its types. */
  update: (id: number, body: TradeDimensionInput) => data(client.PUT(ONE, { params: { path: { id } }, body, headers: PATIENT })),
  bulk: { remove: bulkRemove(LIST, tradeDimensionList) },
  export: exporter(`${LIST}/export`, tradeDimensionList),
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
}

export const tradeDimensionRef: RefSource<TradeDimension> = {
  find: (search) =>
    $api.queryOptions('get', LIST, {
      params: { query: { 'page[size]': 20, sort: 'name', ...(search && { filter: { 'filter[name]': search } }) } },
    }),
  one: tradeDimensions.one,
  id: (tradeDimension) => tradeDimension.id,
  label: (tradeDimension) => tradeDimension.name,
}

export const preload = (search: string) => tradeDimensions.list(readListState(tradeDimensionList, search))
