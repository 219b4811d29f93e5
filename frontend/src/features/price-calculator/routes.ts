import type { RouteObject } from 'react-router'
import { page } from '~/kit/route/lazy-page'
import { priceCalculator } from './screen'

export const priceCalculatorRoutes: RouteObject[] = [
  { path: priceCalculator.path.slice(1), ...page(() => import('./calculator'), 'priceCalculator') },
]
