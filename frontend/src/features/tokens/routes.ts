import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'tokens', 'permissions')

export const tokenRoutes: RouteObject[] = [
  {
    path: 'tokens',
    ...listPage(
      'token.list',
      () => import('./list'),
      () => import('./api'),
      'tokens',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
