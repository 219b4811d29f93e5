import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'

export const profileRoutes: RouteObject[] = [
  { path: 'profile', handle: 'profile', ...page(() => import('./profile'), 'profile', 'auth', 'layout') },
]
