import type { RouteObject } from 'react-router'
import { listPage } from '~/kit/route/lazy-page'
import { RECORD_NAMESPACES } from './record'

export const auditRoutes: RouteObject[] = [
  {
    path: 'audit',
    ...listPage(
      'audit.list',
      () => import('./list'),
      () => import('./api'),
      'audit',
      'permissions',
      ...RECORD_NAMESPACES,
    ),
  },
]
