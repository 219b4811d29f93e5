import { $api, client, data } from '~/api/client'
import type { paths, Role, RoleInput } from '~/api/schema'
import { tenantRef } from '~/features/tenants/ref'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import type { RefSource } from '~/kit/list/ref-source'

const LIST = '/api/admin/roles'
const ONE = '/api/admin/roles/{id}'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export type RoleBody = Omit<RoleInput, 'version'>

export const roleList = listSpec<Query>()({
  filters: {
    name: { kind: 'text' },
    tenant_id: { kind: 'ref', source: tenantRef },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

export const roles = {
  // users show what their roles are called and give
  keys: [
    ['get', LIST],
    ['get', ONE],
    ['get', '/api/admin/users'],
    ['get', '/api/admin/users/{id}'],
    ['get', '/api/users/me'],
  ],
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(roleList, state) } }),
  one: (id: number) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  /** Those that a tenant can use, and the platform's. */
  all: (tenantId: number | null) =>
    $api.queryOptions('get', LIST, {
      params: { query: { 'page[size]': 200, sort: 'name', ...(tenantId !== null && { tenant_id: tenantId }) } },
    }),
  usage: (id: number) => $api.queryOptions('get', '/api/admin/roles/{id}/usage', { params: { path: { id } } }),
  create: (body: RoleBody) => data(client.POST(LIST, { body })),
  update: (id: number, body: RoleInput) => data(client.PUT(ONE, { params: { path: { id } }, body })),
  remove: (id: number) => data(client.DELETE(ONE, { params: { path: { id } } })),
  export: exporter(`${LIST}/export`, roleList),
}

export const roleRef: RefSource<Role> = {
  find: (search) =>
    $api.queryOptions('get', LIST, {
      params: { query: { 'page[size]': 20, sort: 'name', ...(search && { filter: { 'filter[name]': search } }) } },
    }),
  one: roles.one,
  id: (role) => role.id,
  label: (role) => role.name,
}

export const preload = (search: string) => roles.list(readListState(roleList, search))
