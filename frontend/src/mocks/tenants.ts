import { HttpResponse, type RequestHandler } from 'msw'
import type { CeilingEffect } from '~/api/schema'
import { crud } from './crud'
import { http, type Mock } from './server'

const NO_EFFECT: CeilingEffect = { user_count: 0, gaining_count: 0, permissions: [] }

/** Tenants, their groups, and roles. */
export function tenants(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  return [
    http.post(
      '/api/admin/tenants/{id}/effect',
      guarded('tenant.update', () => HttpResponse.json(NO_EFFECT)),
    ),
    ...crud(mock, '/api/admin/tenants', {
      rows: () => db.tenants,
      right: 'tenant',
      sort: 'company',
      textFields: ['company', 'short_code'],
      unique: 'company',
      row: (body, before) => ({ ...body, tenant_groups: before?.tenant_groups ?? [], user_count: before?.user_count ?? 0 }),
    }),
    ...crud(mock, '/api/admin/tenant-groups', {
      rows: () => db.tenantGroups,
      right: 'tenant-group',
      sort: 'name',
      textFields: ['name', 'description'],
      row({ tenant_ids, ...body }) {
        const tenants = db.tenants.filter(({ id }) => tenant_ids.includes(id)).map(({ id, company }) => ({ id, company }))
        return { ...body, tenants, tenant_count: tenants.length }
      },
    }),
    ...crud(mock, '/api/admin/roles', {
      rows: () => db.roles,
      right: 'roles',
      sort: 'name',
      textFields: ['name'],
      row: (body, before) => ({ ...body, tenant: null, user_count: before?.user_count ?? 0, writable: true }),
    }),
  ]
}
