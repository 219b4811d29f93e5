import { $api } from '~/api/client'
import { shippingNodeRef } from '~/features/logistics/shipping-nodes/ref'
import { crud } from '~/kit/records/crud'

export const shippingLegs = {
  ...crud('/api/admin/shipping-legs', {
    filters: {
      search: { kind: 'search' },
      sending_node_id: { kind: 'ref', source: shippingNodeRef },
      receiving_node_id: { kind: 'ref', source: shippingNodeRef },
      node_id: { kind: 'ref', source: shippingNodeRef },
      departures_per_week: { kind: 'decimal' },
      travel_duration: { kind: 'decimal', unit: 'min' },
      updated_at: { kind: 'date' },
    },
    sorts: ['name', 'travel_duration', 'departures_per_week', 'updated_at'],
    defaultSort: 'name',
    search: 'search',
  }),
  /** Upcoming departures, including those that do not run, with the reason. */
  next: (id: number) => $api.queryOptions('get', '/api/admin/shipping-legs/{id}/next-departures', { params: { path: { id } } }),
}
