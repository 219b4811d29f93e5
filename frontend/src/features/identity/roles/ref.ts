import { $api } from '~/api/client'
import { reference } from '~/kit/records/reference'
import { role } from './resource'

export const roleRef = reference('/api/admin/roles', { label: role.title, search: 'name', sort: 'name' })

/** Roles that a tenant can use, including those of the platform. */
export const rolesFor = (tenantId: number | null) =>
  $api.queryOptions('get', '/api/admin/roles', {
    params: { query: { 'page[size]': 200, sort: 'name', ...(tenantId !== null && { tenant_id: tenantId }) } },
  })
