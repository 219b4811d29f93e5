import { Waypoints } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    shippingNodes: typeof import('~/i18n/de/shippingNodes.json')
  }
}

export const shippingNode = resource('/api/admin/shipping-nodes', {
  ns: 'shippingNodes',
  path: '/shippingNodes',
  group: 'logistics',
  owner: 'platform',
  rights: 'shipping_node',
  record: 'shipping_node',
  icon: Waypoints,
  help: 'delivery',
  title: (row) => row.name,
  detail: (row) => row.address,
})
