import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'processings')

export const processingRoutes: RouteObject[] = [
  {
    path: 'processings',
    ...listPage(
      'processing.list',
      () => import('./list'),
      () => import('./api'),
      'processings',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
