import { HttpResponse, type RequestHandler } from 'msw'
import type { CeilingEffect, Permission, TenantGroupInput } from '~/api/schema'
import { crud } from './crud'
import { http, type Mock } from './server'

/** Tenants, their groups, and roles. */
export function tenants(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    http.post(
      '/api/admin/tenants/{id}/effect',
      guarded('tenant.update', async ({ request, params }) => {
        const { permissions } = (await request.json()) as { permissions: Permission[] }
        const row = db.tenants.find((one) => one.id === Number(params.id))
        const grown = permissions.filter((permission) => !row?.permissions.includes(permission))
        return HttpResponse.json<CeilingEffect>({
          user_count: 12,
          gaining_count: 3,
          permissions: grown.map((name, at) => ({ name, user_count: at === 0 ? 3 : 0 })),
        })
      }),
    ),
    ...crud(mock, {
      table: 'tenants',
      right: 'tenant',
      sort: 'company',
      textFields: ['company', 'short_code'],
      unique: 'company',
      completed: () => ({ tenant_groups: [], user_count: 0 }),
    }),
    ...crud(mock, {
      table: 'tenantGroups',
      right: 'tenant-group',
      sort: 'name',
      textFields: ['name', 'description'],
      completed(body) {
        const { tenant_ids } = body as unknown as TenantGroupInput
        const tenants = db.tenants.filter(({ id }) => tenant_ids.includes(id)).map(({ id, company }) => ({ id, company }))
        return { tenants, tenant_count: tenants.length }
      },
    }),
    ...crud(mock, {
      table: 'roles',
      right: 'roles',
      sort: 'name',
      textFields: ['name'],
      completed: () => ({ tenant: null, user_count: 0, writable: true }),
    }),
  ]
}
