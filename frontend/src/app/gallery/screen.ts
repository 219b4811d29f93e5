import { Shapes } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

/** Menu entry of the gallery of components; it needs the same permission as the other demo page. */
export const gallery = {
  id: 'gallery',
  path: '/demo/kit',
  in: 'demo',
  icon: Shapes,
  permissions: ['price_adjustment.view'],
  flag: 'demo_pages',
} as const satisfies PageItem
