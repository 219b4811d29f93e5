import type { RouteObject } from 'react-router'
import { externalApiRoutes } from '~/features/exchange/external-apis/routes'
import { feedRoutes } from '~/features/exchange/feeds/routes'
import { ftpSettingsRoutes } from '~/features/exchange/ftp-settings/routes'
import { profileRoutes } from '~/features/identity/profile/routes'
import { deliveryDateRoutes } from '~/features/logistics/delivery-date/routes'
import { operationRoutes } from '~/features/operation/routes'
import { partnerRoutes } from '~/features/pricing/partners/routes'
import { conditionsDemoRoutes } from '~/features/pricing/price-adjustments/demo/routes'
import { priceCalculatorRoutes } from '~/features/pricing/price-calculator/routes'
import '~/i18n/area'
import { eagerRoute, lazyRoute } from '~/kit/records/lazy-route'
import { registerResources } from '~/kit/records/resources'
import { routesOf } from '~/kit/records/routes'
import AdminLayout from './admin-layout'
import { gallery } from './gallery/screen'
import PathNotFound from './path-not-found'
import { resources } from './resources'

registerResources(resources)

/**
 * Routes behind the sign-in page. Loaded with the first address among them, so that the sign-in page does
 * not grow with each resource.
 */
export const area: RouteObject[] = [
  {
    ...eagerRoute(AdminLayout, 'shell', 'names'),
    children: [
      { path: 'home', handle: 'first-steps', ...lazyRoute(() => import('./home'), 'home', 'imports') },
      ...resources.flatMap(routesOf),
      ...priceCalculatorRoutes,
      ...partnerRoutes,
      ...deliveryDateRoutes,
      ...feedRoutes,
      ...ftpSettingsRoutes,
      ...externalApiRoutes,
      ...operationRoutes,
      ...conditionsDemoRoutes,
      {
        path: gallery.path.slice(1),
        handle: 'lists',
        ...lazyRoute(() => import('./gallery/gallery'), 'gallery', 'reorder', 'spreadsheet'),
      },
      ...profileRoutes,
      { path: '*', ...eagerRoute(PathNotFound) },
    ],
  },
]
