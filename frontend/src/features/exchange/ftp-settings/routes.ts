import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { ftpSettingsItem } from './screen'

export const ftpSettingsRoutes: RouteObject[] = [
  { path: ftpSettingsItem.path.slice(1), handle: 'feeds', ...page(() => import('./page'), 'ftpSettings', 'usage') },
]
