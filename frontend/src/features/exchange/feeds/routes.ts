import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { feedsItem } from './screen'

export const feedRoutes: RouteObject[] = [
  { path: feedsItem.path.slice(1), handle: 'feeds', ...lazyRoute(() => import('./board'), 'feeds') },
]
