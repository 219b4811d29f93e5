import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { operationItem } from './screen'

export const operationRoutes: RouteObject[] = [
  { path: operationItem.path.slice(1), handle: 'operation', ...page(() => import('./board'), 'operation') },
]
