import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { externalApisItem } from './screen'

export const externalApiRoutes: RouteObject[] = [
  // schedules and secrets use the texts of the FTP settings
  { path: externalApisItem.path.slice(1), handle: 'feeds', ...lazyRoute(() => import('./page'), 'externalApis', 'ftpSettings', 'usage') },
]
