import { reference } from '~/kit/records/reference'
import { shippingNode } from './resource'

export const shippingNodeRef = reference('/api/admin/shipping-nodes', { label: shippingNode.title, search: 'search', sort: 'name' })
