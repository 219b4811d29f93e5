import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'materials')

export const materialRoutes: RouteObject[] = [
  {
    path: 'materials',
    ...listPage(
      'material.list',
      () => import('./list'),
      () => import('./api'),
      'materials',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
