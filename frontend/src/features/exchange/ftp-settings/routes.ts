import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { ftpSettingsItem } from './screen'

export const ftpSettingsRoutes: RouteObject[] = [
  { path: ftpSettingsItem.path.slice(1), handle: 'feeds', ...lazyRoute(() => import('./page'), 'ftpSettings', 'usage') },
]
