import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { feedsItem } from './screen'

export const feedRoutes: RouteObject[] = [{ path: feedsItem.path.slice(1), handle: 'feeds', ...page(() => import('./board'), 'feeds') }]
