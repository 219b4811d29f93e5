import type { RouteObject } from 'react-router'
import { readListState } from '~/kit/list/list-state'
import { page, preload } from '~/kit/route/lazy-page'
import { attributeList, attributes } from './api'

const form = page(() => import('./form'), 'attributes')

export const attributeRoutes: RouteObject[] = [
  {
    path: 'attributes',
    ...preload((search) => attributes.list(readListState(attributeList, search))),
    lazy: page(() => import('./list'), 'attributes'),
    children: [
      { path: 'new', lazy: form },
      { path: 'order', lazy: page(() => import('./order'), 'attributes') },
      { path: ':id', lazy: form },
    ],
  },
]
