import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import { regionValues, type ShippingLegsInput, type ShippingNodeClosureInput } from '~/api/schema'
import { anyWarehouseRef } from '~/features/logistics/warehouses/ref'
import { crud } from '~/kit/records/crud'

export const shippingNodes = {
  ...crud('/api/admin/shipping-nodes', {
    filters: {
      search: { kind: 'search' },
      name: { kind: 'text' },
      active: { kind: 'bool' },
      region: { kind: 'enum', values: regionValues, optional: true },
      warehouse_id: { kind: 'ref', source: anyWarehouseRef, optional: true },
      updated_at: { kind: 'date' },
    },
    sorts: ['name', 'updated_at'],
    defaultSort: 'name',
    search: 'search',
  }),
  /** Days of a year without departures and unloading. */
  calendar: (id: number, year: number) =>
    $api.queryOptions('get', '/api/admin/shipping-nodes/{id}/calendar', { params: { path: { id }, query: { year } } }),
  close: (body: ShippingNodeClosureInput) => change(data(client.POST('/api/admin/shipping-node-closures', { body }))),
  reopen: (closure: number) => change(data(client.DELETE('/api/admin/shipping-node-closures/{id}', { params: { path: { id: closure } } }))),
  /** All legs that start or end at a node. */
  legs: (id: number) => $api.queryOptions('get', '/api/admin/shipping-nodes/{id}/legs', { params: { path: { id } } }),
  createLegs: (id: number, body: ShippingLegsInput) =>
    change(data(client.POST('/api/admin/shipping-nodes/{id}/legs', { params: { path: { id } }, body }))),
  /** Findings of the network check. */
  findings: () => $api.queryOptions('get', '/api/admin/shipping/findings', {}),
}
