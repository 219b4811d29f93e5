import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'articles')

export const articleRoutes: RouteObject[] = [
  {
    path: 'articles',
    ...listPage(
      'article.list',
      () => import('./list'),
      () => import('./api'),
      'articles',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
