import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { partners } from './screen'

const path = partners.path.slice(1)

export const partnerRoutes: RouteObject[] = [
  { path, handle: 'partners', ...lazyRoute(() => import('./list'), 'partners') },
  { path: `${path}/:id`, handle: 'partners', ...lazyRoute(() => import('./terms'), 'partners', 'priceLists', 'priceAdjustments') },
  { path: `${path}/:id/sheet`, handle: 'partners', ...lazyRoute(() => import('./sheet'), 'partners') },
]
