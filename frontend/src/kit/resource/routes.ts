import type { RouteObject } from 'react-router'
import { type Load, listPage, page } from '../route/lazy-page'
import type { Resource } from './resource'

/** A resource's routes: its list, over it what makes one and shows one, and its pages. */
export function routesOf({ path, rights, ns, texts = [], api, list, form, over = {}, pages = {} }: Resource): RouteObject[] {
  const own = path.slice(1)
  const screen = (load: Load) => page(load, ns, ...texts)
  const { create, record } = typeof form === 'function' ? { create: form, record: form } : (form ?? {})
  return [
    ...Object.entries(pages).map(([at, load]) => ({ path: `${own}/${at}`, lazy: screen(load) })),
    {
      path: own,
      ...listPage(`${rights}.list`, list, api, ns, ...texts),
      children: [
        ...(create ? [{ path: 'new', lazy: screen(create) }] : []),
        ...Object.entries(over).map(([at, load]) => ({ path: at, lazy: screen(load) })),
        ...(record ? [{ path: ':id', lazy: screen(record) }] : []),
      ],
    },
  ]
}
