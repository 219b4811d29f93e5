import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'articleTypes', 'reorder')

export const articleTypeRoutes: RouteObject[] = [
  {
    path: 'articleTypes',
    ...listPage(
      'article_type.list',
      () => import('./list'),
      () => import('./api'),
      'articleTypes',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
