import { Shapes } from 'lucide-react'
import type { FurtherItem } from '~/kit/shell/menu'

/** The pieces of the kit in their states; the other page of the demo needs the same permission. */
export const gallery = {
  id: 'gallery',
  path: '/demo/kit',
  in: 'demo',
  icon: Shapes,
  permissions: ['price_adjustment.view'],
  flag: 'demo_pages',
} as const satisfies FurtherItem
