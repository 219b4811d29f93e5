import type { ComponentType, FunctionComponent } from 'react'
import type { RouteObject } from 'react-router'
import type { Namespace } from '~/i18n/namespaces'
import { loadChunk } from '~/kit/ui/lazy-with-texts'
import type { HandbookPage } from '../../../handbook/chapters'
import { RouteError } from './route-error'

/**
 * Loads a screen without props. `texts` are namespaces that this screen alone needs; `help` is its handbook
 * page, if it is not that of the resource. The type is loose, because a screen refers to its resource, which
 * refers to its screens.
 */
export type Load = (() => Promise<{ default: (props: never) => void }>) & { texts?: readonly Namespace[]; help?: HandbookPage }

/**
 * Loads the component of a route. If a lazy route rejects, the router shows nothing at all; so a failed load
 * resolves to a component that throws, and the route's error boundary shows the error.
 */
export const loadScreen = (load: Load, namespaces: readonly Namespace[]) => async (): Promise<ComponentType> => {
  try {
    return (await loadChunk(load, namespaces)).default as ComponentType
  } catch (error) {
    return () => {
      throw error
    }
  }
}

type Screen = Pick<RouteObject, 'lazy' | 'ErrorBoundary'>

/** Route for a screen whose code is loaded with the route table; only its texts are lazy. */
export const eagerRoute = (screen: FunctionComponent, ...namespaces: Namespace[]) =>
  lazyRoute(async () => ({ default: screen }), ...namespaces)

/** Route for a lazily loaded screen with its texts. Its errors stay within it. */
export const lazyRoute = (load: Load, ...namespaces: Namespace[]): Screen => ({
  lazy: { Component: loadScreen(load, [...namespaces, ...(load.texts ?? [])]) },
  ErrorBoundary: RouteError,
})

/**
 * Clones routes together with their `lazy` objects. The router deletes the loaded parts from a route's
 * `lazy`; a second route that shared the object would get nothing.
 */
export const cloneRoutes = (routes: readonly RouteObject[]): RouteObject[] =>
  routes.map(
    (route) =>
      ({
        ...route,
        ...(typeof route.lazy === 'object' && { lazy: { ...route.lazy } }),
        ...(route.children && { children: cloneRoutes(route.children) }),
      }) as RouteObject,
  )
