import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'roles', 'permissions')

export const roleRoutes: RouteObject[] = [
  {
    path: 'roles',
    ...listPage(
      'roles.list',
      () => import('./list'),
      () => import('./api'),
      'roles',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
