import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { conditionsDemo } from './screen'

export const conditionsDemoRoutes: RouteObject[] = [
  { path: conditionsDemo.path.slice(1), handle: 'price-adjustments', ...lazyRoute(() => import('./conditions'), 'conditions', 'whyPrice') },
]
