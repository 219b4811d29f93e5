import { createBrowserRouter, type RouteObject } from 'react-router'
import { articleTypeGroupRoutes } from '~/features/article-type-groups/routes'
import { articleTypeRoutes } from '~/features/article-types/routes'
import { articleRoutes } from '~/features/articles/routes'
import { attributeRoutes } from '~/features/attributes/routes'
import { importRoutes } from '~/features/imports/routes'
import { materialRoutes } from '~/features/materials/routes'
import { processingRoutes } from '~/features/processings/routes'
import { tradeDimensionRoutes } from '~/features/trade-dimensions/routes'
import { LoadingView } from '~/kit/feedback/loading-view'
import { RouteError } from '~/kit/feedback/route-error'
import { page } from '~/kit/route/lazy-page'
import { Root } from './root'

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: RouteError,
    HydrateFallback: LoadingView,
    children: [
      {
        lazy: page(() => import('./public-layout'), 'auth'),
        children: [
          { index: true, lazy: page(() => import('~/features/auth/login'), 'auth') },
          { path: 'login', lazy: page(() => import('~/features/auth/login'), 'auth') },
          { path: 'verification', lazy: page(() => import('~/features/auth/verification'), 'auth') },
        ],
      },
      {
        lazy: page(() => import('./admin-layout'), 'shell'),
        children: [
          {
            ErrorBoundary: RouteError,
            children: [
              { path: 'home', lazy: page(() => import('~/features/home/home')) },
              ...attributeRoutes,
              ...materialRoutes,
              ...tradeDimensionRoutes,
              ...importRoutes,
              ...articleTypeRoutes,
              ...articleRoutes,
              ...articleTypeGroupRoutes,
              ...processingRoutes,
              { path: '*', lazy: page(() => import('./path-not-found')) },
            ],
          },
        ],
      },
    ],
  },
]

export const createRouter = () => createBrowserRouter(routes)
