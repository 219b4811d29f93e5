import { $api } from '~/api/client'
import type { TenantGroup } from '~/api/schema'
import type { RefSource } from '~/kit/list/ref-source'

export const tenantGroupRef: RefSource<TenantGroup> = {
  find: (search) =>
    $api.queryOptions('get', '/api/admin/tenant-groups', {
      params: { query: { 'page[size]': 20, sort: 'name', ...(search && { filter: { 'filter[name]': search } }) } },
    }),
  one: (id) => $api.queryOptions('get', '/api/admin/tenant-groups/{id}', { params: { path: { id } } }),
  id: (group) => group.id,
  label: (group) => group.name,
}
