import { $api, client, data, PATIENT } from '~/api/client'
import type { Material, MaterialInput, paths } from '~/api/schema'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import type { RefSource } from '~/kit/list/ref-source'
import { bulkChange, bulkRemove } from '~/kit/list/selection/bulk'

const LIST = '/api/admin/materials'
const ONE = '/api/admin/materials/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type MaterialBody = Omit<MaterialInput, 'version' | 'change_articles'>

export const materialList = listSpec<Query>()({
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text' },
    display_name: { kind: 'text' },
    article_number_name: { kind: 'text' },
    material_number: { kind: 'text' },
    density: { kind: 'decimal', unit: 'kg/dm³' },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'display_name', 'article_number_name', 'material_number', 'density', 'updated_at'],
  defaultSort: 'name',
  search: 'search',
})

export const materials = {
  keys: [
    ['get', LIST],
    ['get', ONE],
    // articles change with their material
    ['get', '/api/admin/articles'],
    ['get', '/api/admin/articles/{id}'],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(materialList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  usage: (id: number) => $api.queryOptions('get', '/api/admin/materials/{id}/usage', { params: { path: { id } } }),
  create: (body: MaterialBody) => data(client.POST(LIST, { body })),
  /** Articles change with it. */
  update: (id: number, body: MaterialInput) => data(client.PUT(ONE, { params: { path: { id } }, body, headers: PATIENT })),
  /** What a change does to articles. */
  effect: (id: number, body: MaterialInput) =>
    $api.queryOptions(
      'post',
      '/api/admin/materials/{id}/effect',
      { params: { path: { id } }, body, headers: PATIENT },
      { gcTime: 0, retry: false },
    ),
  export: exporter(`${LIST}/export`, materialList),
  bulk: { remove: bulkRemove(LIST, materialList), change: bulkChange(LIST, materialList, () => import('./bulk')) },
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
}

export const materialRef: RefSource<Material> = {
  find: (search) =>
    $api.queryOptions('get', LIST, {
      params: { query: { 'page[size]': 20, sort: 'name', ...(search && { filter: { 'filter[search]': search } }) } },
    }),
  one: materials.one,
  id: (material) => material.id,
  label: (material) => material.name,
}

export const preload = (search: string) => materials.list(readListState(materialList, search))
