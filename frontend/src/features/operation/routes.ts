import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { operationItem } from './screen'

export const operationRoutes: RouteObject[] = [
  { path: operationItem.path.slice(1), handle: 'operation', ...lazyRoute(() => import('./board'), 'operation') },
]
