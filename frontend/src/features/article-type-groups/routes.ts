import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'articleTypeGroups')

export const articleTypeGroupRoutes: RouteObject[] = [
  {
    path: 'article-type-groups',
    ...listPage(
      'article-type-group.list',
      () => import('./list'),
      () => import('./api'),
      'articleTypeGroups',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
