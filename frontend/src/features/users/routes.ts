import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'users', 'permissions')

export const userRoutes: RouteObject[] = [
  { path: 'users/:id/rights', lazy: page(() => import('./rights'), 'users', 'permissions') },
  {
    path: 'users',
    ...listPage(
      'user.list',
      () => import('./list'),
      () => import('./api'),
      'users',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
