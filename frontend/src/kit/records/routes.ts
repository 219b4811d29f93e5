import type { QueryClient } from '@tanstack/react-query'
import { type LoaderFunctionArgs, type RouteObject, replace } from 'react-router'
import { queryClient } from '~/api/query'
import { isDefaultState, readListState } from '~/kit/table/list-state'
import { views } from '~/kit/table/views/api'
import { loadChunk } from '~/kit/ui/lazy-with-texts'
import { whenAllowed } from '~/session/me'
import { session } from '~/session/session'
import { lacksTenant } from '~/session/tenant'
import { type Load, lazyRoute, loadScreen } from './lazy-route'
import { OverlayError } from './overlay-error'
import { type Resource, viewPermissions } from './resource'
import { RouteError } from './route-error'

type Fetch = Parameters<QueryClient['prefetchQuery']>[0]

/**
 * Prefetches the first rows of a list for users who may read it, while the screen's code is still loading.
 */
const loader = (resource: Resource) => async () => {
  const { ns, api, tenant } = resource
  // the screen reports a failed load
  const listing = await loadChunk(api).catch(() => null)
  if (!listing) return () => null
  const { list, spec, preload } = listing
  async function prefetch(search: string) {
    if (tenant === 'required' && lacksTenant(search)) return
    const state = readListState(spec, search)
    const begin = isDefaultState(spec, state) ? await queryClient.ensureQueryData(views.list(ns)).catch(() => null) : null
    if (preload) return queryClient.prefetchQuery(preload() as Fetch)
    // the page itself requests the rows if the user has a default view
    if (!begin?.data.some((view) => view.default)) await queryClient.prefetchQuery(list(state) as Fetch)
  }
  return ({ request }: LoaderFunctionArgs) => {
    const { search } = new URL(request.url)
    if (session.get().phase === 'in') void whenAllowed(viewPermissions(resource), () => prefetch(search))
    return null
  }
}

/** Redirects from the first tab's own name to the record's address, where it is shown. */
function toRecord({ request }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url)
  return replace(pathname.replace(/\/[^/]+\/?$/, '') + search)
}

/** Routes of a resource: its list, the forms over it, a record's page, and other pages. */
export function routesOf(resource: Resource): RouteObject[] {
  const { path, ns, help, texts = [], list, form, page: recordPage, overlays = {}, pages = {} } = resource
  const own = path.slice(1)
  const screen = (load: Load) => lazyRoute(load, ns, ...texts)
  const overlay = (load: Load) => ({ ...screen(load), ErrorBoundary: OverlayError })
  const { create, record } = typeof form === 'function' ? { create: form, record: form } : (form ?? {})
  const tabs = Object.entries(recordPage?.tabs ?? {}).flatMap(([at, load], place): RouteObject[] =>
    place === 0
      ? [
          { index: true, ...screen(load) },
          { path: at, loader: toRecord },
        ]
      : [{ path: at, ...screen(load) }],
  )
  return [
    ...Object.entries(pages).map(([at, load]) => ({ path: `${own}/${at}`, handle: help, ...screen(load) })),
    ...(recordPage
      ? [{ path: `${own}/:id`, handle: help, ...lazyRoute(recordPage.frame, ns, 'recordPage', ...texts), children: tabs }]
      : []),
    {
      path: own,
      handle: help,
      lazy: { Component: loadScreen(list, [ns, ...texts]), loader: loader(resource) },
      ErrorBoundary: RouteError,
      // the page itself handles later changes of the address
      shouldRevalidate: () => false,
      children: [
        ...(create ? [{ path: 'new', handle: create.help, ...overlay(create) }] : []),
        ...Object.entries(overlays).map(([at, load]) => ({ path: at, ...overlay(load) })),
        ...(record ? [{ path: ':id', ...overlay(record) }] : []),
      ],
    },
  ]
}
