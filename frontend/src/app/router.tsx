import { createBrowserRouter, type RouteObject } from 'react-router'
import Login from '~/features/auth/login'
import { LoadingView } from '~/kit/feedback/loading-view'
import { RouteError } from '~/kit/feedback/route-error'
import { part } from '~/kit/route/later'
import { page, separate, shown } from '~/kit/route/lazy-page'
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
          { path: 'forgot-password', ...page(() => import('~/features/auth/forgot-password'), 'auth', 'passwordReset') },
          { path: 'check-mail', ...page(() => import('~/features/auth/check-mail'), 'auth', 'passwordReset') },
          { path: 'password-reset', ...page(() => import('~/features/auth/mail-links'), 'auth', 'passwordReset') },
          { path: 'email-undo', ...page(() => import('~/features/auth/mail-links'), 'auth', 'passwordReset') },
          { path: 'verification', ...page(() => import('~/features/auth/verification'), 'auth') },
        ],
      },
    ],
  },
]

export const loadArea = () => part(() => import('./area'))

/** Any other address is the area's. It is asked for again with each address that holds a number; routes that are known are not added twice. */
export const createRouter = () =>
  createBrowserRouter(separate(routes), { patchRoutesOnNavigation: async ({ patch }) => patch(ROOT, separate((await loadArea()).area)) })
