import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'tenants', 'permissions')

export const tenantRoutes: RouteObject[] = [
  {
    path: 'tenants',
    ...listPage(
      'tenant.list',
      () => import('./list'),
      () => import('./api'),
      'tenants',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
