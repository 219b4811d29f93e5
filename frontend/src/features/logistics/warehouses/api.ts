import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import { type ClosureInput, type ReadinessInput, regionValues, type Warehouse } from '~/api/schema'
import { crud } from '~/kit/records/crud'

const base = crud('/api/admin/warehouses', {
  filters: {
    search: { kind: 'search' },
    name: { kind: 'text' },
    short_code: { kind: 'text' },
    region: { kind: 'enum', values: regionValues, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'short_code', 'updated_at'],
  defaultSort: 'name',
  search: 'search',
})

export const warehouses = {
  ...base,
  /** Time at which an order is ready in a warehouse as it is saved. */
  readiness: ({ id, version }: Pick<Warehouse, 'id' | 'version'>, body: ReadinessInput) => {
    const { queryKey, ...options } = $api.queryOptions('post', '/api/admin/warehouses/{id}/readiness', { params: { path: { id } }, body })
    return { ...options, queryKey: [...queryKey, version] as unknown as typeof queryKey }
  },
  /** Days off of a warehouse in a year. */
  calendar: (id: number, year: number) =>
    $api.queryOptions('get', '/api/admin/warehouses/{id}/calendar', { params: { path: { id }, query: { year } } }),
  close: (body: ClosureInput) => change(data(client.POST('/api/admin/closures', { body }))),
  reopen: (closure: number) => change(data(client.DELETE('/api/admin/closures/{id}', { params: { path: { id: closure } } }))),
}
