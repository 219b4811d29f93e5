import type { RouteObject } from 'react-router'
import { listPage, page } from '~/kit/route/lazy-page'

const form = page(() => import('./form'), 'tradeDimensions')

export const tradeDimensionRoutes: RouteObject[] = [
  {
    path: 'tradeDimensions',
    ...listPage(
      'trade_dimension.list',
      () => import('./list'),
      () => import('./api'),
      'tradeDimensions',
    ),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
