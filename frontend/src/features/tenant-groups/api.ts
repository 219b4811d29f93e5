import { $api, client, data } from '~/api/client'
import type { paths, TenantGroupInput } from '~/api/schema'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import { bulkRemove } from '~/kit/list/selection/bulk'
import { tenantGroupRef } from './ref'

const LIST = '/api/admin/tenant-groups'
const ONE = '/api/admin/tenant-groups/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type TenantGroupBody = Omit<TenantGroupInput, 'version'>

export const tenantGroupList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    description: { kind: 'text' },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'description', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

export const tenantGroups = {
  keys: [
    ['get', LIST],
    ['get', ONE],
    // tenants show their groups
    ['get', '/api/admin/tenants'],
    ['get', '/api/admin/tenants/{id}'],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(tenantGroupList, state) } }),
  one: tenantGroupRef.one,
  usage: (id: number) => $api.queryOptions('get', '/api/admin/tenant-groups/{id}/usage', { params: { path: { id } } }),
  create: (body: TenantGroupBody) => data(client.POST(LIST, { body })),
  update: (id: number, body: TenantGroupInput) => data(client.PUT(ONE, { params: { path: { id } }, body })),
  export: exporter(`${LIST}/export`, tenantGroupList),
  bulk: { remove: bulkRemove(LIST, tenantGroupList) },
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
}

export const preload = (search: string) => tenantGroups.list(readListState(tenantGroupList, search))
