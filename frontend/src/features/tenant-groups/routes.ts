import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'tenantGroups')

export const tenantGroupRoutes: RouteObject[] = [
  {
    path: 'tenant-groups',
    ...listPage(
      'tenant-group.list',
      () => import('./list'),
      () => import('./api'),
      'tenantGroups',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
