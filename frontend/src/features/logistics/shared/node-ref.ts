import { reference } from '~/kit/records/reference'

/** Shipping nodes, to be referred to; until `shipping-nodes/ref` is there. */
export const nodeRef = reference('/api/admin/shipping-nodes', { label: ({ name }) => name, search: 'name', sort: 'name' })
