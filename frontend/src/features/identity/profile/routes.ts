import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'

export const profileRoutes: RouteObject[] = [
  { path: 'profile', handle: 'profile', ...lazyRoute(() => import('./profile'), 'profile', 'auth', 'layout') },
]
