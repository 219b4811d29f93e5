import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'categories', 'image')

export const categoryRoutes: RouteObject[] = [
  {
    path: 'categories',
    ...listPage(
      'category.list',
      () => import('./list'),
      () => import('./api'),
      'categories',
      'tree',
      'reorder',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
