import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { externalApisItem } from './screen'

export const externalApiRoutes: RouteObject[] = [
  // schedules and secrets use the texts of the FTP settings
  { path: externalApisItem.path.slice(1), handle: 'feeds', ...page(() => import('./page'), 'externalApis', 'ftpSettings', 'usage') },
]
