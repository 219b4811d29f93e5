import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

export const importRoutes: RouteObject[] = [
  {
    path: 'imports',
    ...listPage(
      'import.list',
      () => import('./list'),
      () => import('./api'),
      'imports',
    ),
    children: [
      { path: 'new', lazy: page(() => import('./upload'), 'imports') },
      { path: ':id', lazy: page(() => import('./detail'), 'imports') },
    ],
  },
]
