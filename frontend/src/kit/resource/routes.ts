import type { QueryClient } from '@tanstack/react-query'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { queryClient } from '~/api/query'
import { whenAllowed } from '~/session/me'
import { session } from '~/session/session'
import { isPlain, readListState } from '../list/list-state'
import { views } from '../list/views/api'
import { component, type Load, page } from '../route/lazy-page'
import type { Resource } from './resource'

type Fetch = Parameters<QueryClient['prefetchQuery']>[0]

/** Who may read a list gets its first rows asked for while the screen's code is still on the way. */
const loader =
  ({ ns, rights, api }: Resource) =>
  async () => {
    const { list, spec, preload } = await api()
    async function prefetch(search: string) {
      const state = readListState(spec, search)
      const begin = isPlain(spec, state) ? await queryClient.ensureQueryData(views.list(ns)).catch(() => null) : null
      if (preload) return queryClient.prefetchQuery(preload() as Fetch)
      // with a view of the user's own the page asks for that
      if (!begin?.data.some((view) => view.default)) await queryClient.prefetchQuery(list(state) as Fetch)
    }
    return ({ request }: LoaderFunctionArgs) => {
      const { search } = new URL(request.url)
      if (session.get().phase === 'in') void whenAllowed(`${rights}.list`, () => prefetch(search))
      return null
    }
  }

/** A resource's routes: its list, over it what makes one and shows one, and its pages. */
export function routesOf(resource: Resource): RouteObject[] {
  const { path, ns, texts = [], list, form, over = {}, pages = {} } = resource
  const own = path.slice(1)
  const screen = (load: Load) => page(load, ns, ...texts)
  const { create, record } = typeof form === 'function' ? { create: form, record: form } : (form ?? {})
  return [
    ...Object.entries(pages).map(([at, load]) => ({ path: `${own}/${at}`, lazy: screen(load) })),
    {
      path: own,
      lazy: { Component: component(list, [ns, ...texts]), loader: loader(resource) },
      // later changes of the address are the page's own business
      shouldRevalidate: () => false,
      children: [
        ...(create ? [{ path: 'new', lazy: screen(create) }] : []),
        ...Object.entries(over).map(([at, load]) => ({ path: at, lazy: screen(load) })),
        ...(record ? [{ path: ':id', lazy: screen(record) }] : []),
      ],
    },
  ]
}
