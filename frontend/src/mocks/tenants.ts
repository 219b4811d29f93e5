import { HttpResponse, type RequestHandler } from 'msw'
import type { CeilingEffect, Partner } from '~/api/schema'
import { crud } from './crud'
import { page, type Row } from './list'
import { http, type Mock, problem } from './server'

/** Town after the postal code. */
const placeOf = (address: string | null) => /\d{5} (.+)$/.exec(address ?? '')?.[1] ?? null

const NO_EFFECT: CeilingEffect = { user_count: 0, gaining_count: 0, permissions: [] }

/** Tenants, trading partners, tenant groups, and roles. */
export function tenants(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  const partners = () => db.tenants.map(({ id, company, short_code, address }) => ({ id, company, short_code, place: placeOf(address) }))
  return [
    http.get(
      '/api/admin/partners',
      // the cast adds fields that the list needs but does not show
      guarded('access-admin', ({ url }) => page(partners() as (Partner & Row)[], url, 'company', ['company', 'short_code', 'place'])),
    ),
    http.get(
      '/api/admin/partners/{id}',
      guarded('access-admin', ({ params }) => {
        const partner = partners().find(({ id }) => id === Number(params.id))
        return partner ? HttpResponse.json<Partner>(partner) : problem(404, 'not_found', 'Nicht gefunden.')
      }),
    ),
    http.post(
      '/api/admin/tenants/{id}/effect',
      guarded('tenant.update', () => HttpResponse.json(NO_EFFECT)),
    ),
    ...crud(mock, '/api/admin/tenants', {
      rows: () => db.tenants,
      right: 'tenant',
      sort: 'company',
      textFields: ['company', 'name', 'short_code'],
      unique: 'company',
      row: (body, before) => ({
        ...body,
        name: body.name ?? body.company,
        tenant_groups: before?.tenant_groups ?? [],
        user_count: before?.user_count ?? 0,
      }),
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
