import type { RequestHandler } from 'msw'
import { crud } from './crud'
import type { Mock } from './server'

/** Where tenants keep their steel. */
export function warehouses(mock: Mock): RequestHandler[] {
  return crud(mock, {
    table: 'warehouses',
    right: 'warehouse',
    sort: 'name',
    textFields: ['name', 'short_code', 'address'],
    completed: () => ({ tenant: { id: 1, short_code: 'NORD' } }),
  })
}
