import { createBrowserRouter, type RouteObject } from 'react-router'
import Login from '~/features/identity/auth/login'
import { page, separate, shown } from '~/kit/records/lazy-page'
import { RouteError } from '~/kit/records/route-error'
import { part } from '~/kit/ui/later'
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
        ...shown(PublicLayout, 'auth'),
        children: [
          { index: true, ...shown(Login, 'auth') },
          { path: 'login', ...shown(Login, 'auth') },
          { path: 'forgot-password', ...page(() => import('~/features/identity/auth/forgot-password'), 'auth', 'passwordReset') },
          { path: 'check-mail', ...page(() => import('~/features/identity/auth/check-mail'), 'auth', 'passwordReset') },
          { path: 'password-reset', ...page(() => import('~/features/identity/auth/mail-links'), 'auth', 'passwordReset') },
          { path: 'email-undo', ...page(() => import('~/features/identity/auth/mail-links'), 'auth', 'passwordReset') },
          { path: 'verification', ...page(() => import('~/features/identity/auth/verification'), 'auth') },
        ],
      },
    ],
  },
]

export const loadArea = () => part(() => import('./area'))

/**
 * Router that loads the area on the first unknown address. The router calls it again for each address with a
 * parameter; known routes are not added twice.
 */
export const createRouter = () =>
  createBrowserRouter(separate(routes), { patchRoutesOnNavigation: async ({ patch }) => patch(ROOT, separate((await loadArea()).area)) })
