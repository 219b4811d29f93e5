import { CalendarClock } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    deliveryDate: typeof import('~/i18n/de/deliveryDate.json')
  }
}

/** Menu entry of a page without a list: delivery dates are computed on request and not stored. */
export const deliveryDate = {
  id: 'deliveryDate',
  path: '/delivery-date',
  in: 'logistics',
  icon: CalendarClock,
  permissions: ['shipping_node.list', 'shipping_node.view'],
} as const satisfies PageItem
