import { SlidersHorizontal } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

/** Demo page of the condition editor. Nothing is stored. */
export const conditionsDemo = {
  id: 'conditions',
  path: '/demo/conditions',
  in: 'demo',
  icon: SlidersHorizontal,
  permissions: ['price_adjustment.view'],
  flag: 'demo_pages',
} as const satisfies PageItem
