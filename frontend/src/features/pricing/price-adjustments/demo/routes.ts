import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { conditionsDemo } from './screen'

export const conditionsDemoRoutes: RouteObject[] = [
  { path: conditionsDemo.path.slice(1), handle: 'price-adjustments', ...page(() => import('./conditions'), 'conditions', 'whyPrice') },
]
