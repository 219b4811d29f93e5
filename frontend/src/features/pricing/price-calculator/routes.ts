import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { OVER_TIME, priceCalculator } from './screen'

export const priceCalculatorRoutes: RouteObject[] = [
  { path: priceCalculator.path.slice(1), handle: 'price-calculator', ...lazyRoute(() => import('./calculator'), 'priceCalculator') },
  { path: OVER_TIME.slice(1), handle: 'price-calculator', ...lazyRoute(() => import('./over-time'), 'priceCalculator', 'priceOverTime') },
]
