import type { RouteObject } from 'react-router'
import { readListState } from '~/kit/list/list-state'
import { page, preload } from '~/kit/route/lazy-page'
import { materialList, materials } from './api'

const form = page(() => import('./form'), 'materials')

export const materialRoutes: RouteObject[] = [
  {
    path: 'materials',
    ...preload((search) => materials.list(readListState(materialList, search))),
    lazy: page(() => import('./list'), 'materials'),
    children: [
      { path: 'new', lazy: form },
      { path: ':id', lazy: form },
    ],
  },
]
