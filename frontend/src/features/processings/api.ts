import { $api, client, data } from '~/api/client'
import { type ProcessingInput, type ProcessingPreviewInput, type paths, processingTypeValues } from '~/api/schema'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import { bulkRemove } from '~/kit/list/selection/bulk'

const LIST = '/api/admin/processings'
const ONE = '/api/admin/processings/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type ProcessingBody = Omit<ProcessingInput, 'version'>

export const processingList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    display_name: { kind: 'text' },
    type: { kind: 'enum', values: processingTypeValues },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'display_name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

export const processings = {
  keys: [
    ['get', LIST],
    ['get', ONE],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(processingList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  create: (body: ProcessingBody) => data(client.POST(LIST, { body })),
  update: (id: number, body: ProcessingInput) => data(client.PUT(ONE, { params: { path: { id } }, body })),
  export: exporter(`${LIST}/export`, processingList),
  bulk: { remove: bulkRemove(LIST, processingList) },
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
  preview: (body: ProcessingPreviewInput) => $api.queryOptions('post', '/api/admin/processings/preview', { body }),
}

export const preload = (search: string) => processings.list(readListState(processingList, search))
