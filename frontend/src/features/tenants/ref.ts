import { $api } from '~/api/client'
import type { Tenant } from '~/api/schema'
import type { RefSource } from '~/kit/list/ref-source'

const HOUR = 60 * 60_000

export const tenantRef: RefSource<Tenant> = {
  find: (search) =>
    $api.queryOptions('get', '/api/admin/tenants', {
      params: { query: { 'page[size]': 20, sort: 'company', ...(search && { filter: { 'filter[company]': search } }) } },
    }),
  one: (id) => $api.queryOptions('get', '/api/admin/tenants/{id}', { params: { path: { id } } }, { staleTime: HOUR }),
  id: (tenant) => tenant.id,
  label: (tenant) => tenant.company,
}
