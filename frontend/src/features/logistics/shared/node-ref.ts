import type { RefSource } from '~/kit/form/ref-source'
import { reference } from '~/kit/records/reference'
import type { ShippingNode } from './shipping-wire'

/** Shipping nodes, to be referred to; until `shipping-nodes/ref` is there. */
export const nodeRef = reference('/api/admin/shipping-nodes' as '/api/admin/materials', {
  label: ({ name }) => name,
  search: 'name',
  sort: 'name',
}) as unknown as RefSource<ShippingNode>
