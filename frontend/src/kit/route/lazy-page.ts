import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType, FunctionComponent } from 'react'
import type { LoaderFunctionArgs, RouteObject } from 'react-router'
import { queryClient } from '~/api/query'
import type { Permission } from '~/api/schema'
import { loadTexts } from '~/i18n/i18n'
import type { Namespace } from '~/i18n/namespaces'
import { whenAllowed } from '~/session/me'
import { session } from '~/session/session'
import { type ListSpec, type ListState, readListState } from '../list/list-state'

/** Of a screen, which takes nothing. Its type is not looked into: a screen names its resource, which names its screens. */
export type Load = () => Promise<{ default: (props: never) => void }>

const component = (load: Load, namespaces: Namespace[]) => async () => {
  const [module] = await Promise.all([load(), loadTexts(...namespaces)])
  return module.default as ComponentType
}

/** A screen that is loaded with its route table, and its texts. */
export const shown = (screen: FunctionComponent, ...namespaces: Namespace[]) => page(async () => ({ default: screen }), ...namespaces)

/** A lazily loaded screen together with its texts. */
export const page = (load: Load, ...namespaces: Namespace[]): NonNullable<RouteObject['lazy']> => ({
  Component: component(load, namespaces),
})

/**
 * Routes with lazy parts of their own. The router takes out of a route's `lazy` what it has loaded; where two routes shared one,
 * the second would be left with nothing.
 */
export const separate = (routes: readonly RouteObject[]): RouteObject[] =>
  routes.map(
    (route) =>
      ({
        ...route,
        ...(typeof route.lazy === 'object' && { lazy: { ...route.lazy } }),
        ...(route.children && { children: separate(route.children) }),
      }) as RouteObject,
  )

type Fetch = Parameters<QueryClient['prefetchQuery']>[0]

/** A list's queries, as far as others ask: the first page, and what a search finds. */
export interface Listing {
  spec: ListSpec
  list: (state: ListState) => object
  /** What its page asks for first, if not for a page of the list. */
  preload?: (search: string) => object
}

/** A list's screen; who may read it gets its first rows asked for while the screen's code is still on the way. */
export const listPage = (
  permission: Permission,
  load: Load,
  api: () => Promise<Listing>,
  ...namespaces: Namespace[]
): Pick<RouteObject, 'lazy' | 'shouldRevalidate'> => ({
  lazy: {
    Component: component(load, namespaces),
    loader: async () => {
      const { list, spec, preload = (search) => list(readListState(spec, search)) } = await api()
      return ({ request }: LoaderFunctionArgs) => {
        const { search } = new URL(request.url)
        if (session.get().phase === 'in') void whenAllowed(permission, () => queryClient.prefetchQuery(preload(search) as Fetch))
        return null
      }
    },
  },
  // later changes of the address are the page's own business
  shouldRevalidate: () => false,
})
