import type { ComponentType, FunctionComponent } from 'react'
import type { RouteObject } from 'react-router'
import { loadTexts } from '~/i18n/i18n'
import type { Namespace } from '~/i18n/namespaces'

/** Of a screen, which takes nothing. Its type is not looked into: a screen names its resource, which names its screens. */
export type Load = () => Promise<{ default: (props: never) => void }>

export const component = (load: Load, namespaces: readonly Namespace[]) => async () => {
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
