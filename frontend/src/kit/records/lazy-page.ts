import type { ComponentType, FunctionComponent } from 'react'
import type { RouteObject } from 'react-router'
import type { Namespace } from '~/i18n/namespaces'
import { part } from '~/kit/ui/later'
import type { HandbookPage } from '../../../handbook/chapters'
import { RouteError } from './route-error'

/**
 * Loads a screen without properties. `texts` are the namespaces that it alone needs, `help` is its page of the
 * handbook where the resource names another one. Its type stays open: a screen names its resource, which names
 * its screens.
 */
export type Load = (() => Promise<{ default: (props: never) => void }>) & { texts?: readonly Namespace[]; help?: HandbookPage }

/** A route whose own code cannot be had has the router show nothing at all: so what it then gets breaks when it is shown, within the route. */
export const component = (load: Load, namespaces: readonly Namespace[]) => async (): Promise<ComponentType> => {
  try {
    return (await part(load, namespaces)).default as ComponentType
  } catch (error) {
    return () => {
      throw error
    }
  }
}

type Screen = Pick<RouteObject, 'lazy' | 'ErrorBoundary'>

/** A screen that is loaded with its route table, and its texts. */
export const shown = (screen: FunctionComponent, ...namespaces: Namespace[]) => page(async () => ({ default: screen }), ...namespaces)

/** A lazily loaded screen together with its texts. What goes wrong with it stays within it. */
export const page = (load: Load, ...namespaces: Namespace[]): Screen => ({
  lazy: { Component: component(load, [...namespaces, ...(load.texts ?? [])]) },
  ErrorBoundary: RouteError,
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
