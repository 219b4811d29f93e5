import { $api, client, data } from '~/api/client'
import type { Permission, paths, TenantInput } from '~/api/schema'
import { tenantGroupRef } from '~/features/tenant-groups/ref'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import { tenantRef } from './ref'

const LIST = '/api/admin/tenants'
const ONE = '/api/admin/tenants/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type TenantBody = Omit<TenantInput, 'version'>

export const tenantList = listSpec<Query>()({
  filters: {
    company: { kind: 'text' },
    short_code: { kind: 'text' },
    tenant_group_id: { kind: 'ref', source: tenantGroupRef },
    updated_at: { kind: 'date' },
  },
  sorts: ['company', 'short_code', 'updated_at'],
  defaultSort: 'company',
  search: 'company',
})

export const tenants = {
  // groups and users show the company, a ceiling is part of everybody's rights
  keys: [
    ['get', LIST],
    ['get', ONE],
    ['get', '/api/admin/tenant-groups'],
    ['get', '/api/admin/tenant-groups/{id}'],
    ['get', '/api/admin/users'],
    ['get', '/api/admin/users/{id}'],
    ['get', '/api/users/me'],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(tenantList, state) } }),
  one: tenantRef.one,
  usage: (id: number) => $api.queryOptions('get', '/api/admin/tenants/{id}/usage', { params: { path: { id } } }),
  create: (body: TenantBody) => data(client.POST(LIST, { body })),
  update: (id: number, body: TenantInput) => data(client.PUT(ONE, { params: { path: { id } }, body })),
  /** What a higher ceiling gives to the tenant's users. */
  effect: (id: number) => (permissions: Permission[]) =>
    $api.queryOptions(
      'post',
      '/api/admin/tenants/{id}/effect',
      { params: { path: { id } }, body: { permissions } },
      { gcTime: 0, retry: false },
    ),
  export: exporter(`${LIST}/export`, tenantList),
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
}

export const preload = (search: string) => tenants.list(readListState(tenantList, search))
