import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { partners } from './screen'

const path = partners.path.slice(1)

export const partnerRoutes: RouteObject[] = [
  { path, handle: 'partners', ...page(() => import('./list'), 'partners') },
  { path: `${path}/:id`, handle: 'partners', ...page(() => import('./terms'), 'partners', 'priceLists', 'priceAdjustments') },
  { path: `${path}/:id/sheet`, handle: 'partners', ...page(() => import('./sheet'), 'partners') },
]
