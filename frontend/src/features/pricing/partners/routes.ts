import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { partners } from './screen'

const path = partners.path.slice(1)

export const partnerRoutes: RouteObject[] = [
  { path, ...page(() => import('./list'), 'partners') },
  { path: `${path}/:id`, ...page(() => import('./terms'), 'partners', 'priceLists', 'priceAdjustments') },
  { path: `${path}/:id/sheet`, ...page(() => import('./sheet'), 'partners') },
]
