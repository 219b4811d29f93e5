import type { RouteObject } from 'react-router'
import { page } from '~/kit/route/lazy-page'

export const profileRoutes: RouteObject[] = [{ path: 'profile', lazy: page(() => import('./profile'), 'profile', 'auth', 'layout') }]
