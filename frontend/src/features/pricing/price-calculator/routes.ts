import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { OVER_TIME, priceCalculator } from './screen'

export const priceCalculatorRoutes: RouteObject[] = [
  { path: priceCalculator.path.slice(1), handle: 'price-calculator', ...page(() => import('./calculator'), 'priceCalculator') },
  { path: OVER_TIME.slice(1), handle: 'price-calculator', ...page(() => import('./over-time'), 'priceCalculator', 'priceOverTime') },
]
