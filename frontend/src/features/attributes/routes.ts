import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'attributes')

export const attributeRoutes: RouteObject[] = [
  {
    path: 'attributes',
    ...listPage(
      'attribute.list',
      () => import('./list'),
      () => import('./api'),
      'attributes',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: 'order', lazy: page(() => import('./order'), 'attributes', 'reorder') },
      { path: ':id', lazy: form },
    ],
  },
]
