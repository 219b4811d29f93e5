import { createBrowserRouter, type RouteObject } from 'react-router'
import Login from '~/features/identity/auth/login'
import { cloneRoutes, eagerRoute, lazyRoute } from '~/kit/records/lazy-route'
import { RouteError } from '~/kit/records/route-error'
import { loadChunk } from '~/kit/ui/lazy-with-texts'
import { LoadingView } from '~/kit/ui/loading-view'
import PublicLayout from './public-layout'
import { Root } from './root'

export const ROOT = 'root'

export const routes: RouteObject[] = [
  {
    id: ROOT,
    Component: Root,
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingView,
    children: [
      {
        // handbook page, see kit/shell/help
        handle: 'first-steps',
        ...eagerRoute(PublicLayout, 'auth'),
        children: [
          { index: true, ...eagerRoute(Login, 'auth') },
          { path: 'login', ...eagerRoute(Login, 'auth') },
          { path: 'forgot-password', ...lazyRoute(() => import('~/features/identity/auth/forgot-password'), 'auth', 'passwordReset') },
          { path: 'check-mail', ...lazyRoute(() => import('~/features/identity/auth/check-mail'), 'auth', 'passwordReset') },
          { path: 'password-reset', ...lazyRoute(() => import('~/features/identity/auth/mail-links'), 'auth', 'passwordReset') },
          { path: 'email-undo', ...lazyRoute(() => import('~/features/identity/auth/mail-links'), 'auth', 'passwordReset') },
          { path: 'verification', ...lazyRoute(() => import('~/features/identity/auth/verification'), 'auth') },
        ],
      },
    ],
  },
]

export const loadArea = () => loadChunk(() => import('./area'))

/**
 * Creates the router. Routes behind the sign-in are loaded with the first address that no route matches.
 * React Router also calls `patchRoutesOnNavigation` for each address with a parameter; it ignores routes that
 * it already has.
 */
export const createRouter = () =>
  createBrowserRouter(cloneRoutes(routes), {
    patchRoutesOnNavigation: async ({ patch }) => patch(ROOT, cloneRoutes((await loadArea()).area)),
  })
