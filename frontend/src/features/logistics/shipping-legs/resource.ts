import { Route } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    shippingLegs: typeof import('~/i18n/de/shippingLegs.json')
  }
}

export const shippingLeg = resource('/api/admin/shipping-legs', {
  ns: 'shippingLegs',
  path: '/shippingNodes/legs',
  group: 'logistics',
  owner: 'platform',
  rights: 'shipping_node',
  sharesPermissions: true,
  isPart: true,
  record: 'shipping_leg',
  icon: Route,
  help: 'delivery',
  title: (row) => `${row.sending_node.name} → ${row.receiving_node.name}`,
})
