import type { RouteObject } from 'react-router'
import { conditionsDemoRoutes } from '~/features/price-adjustments/demo/routes'
import { priceCalculatorRoutes } from '~/features/price-calculator/routes'
import { profileRoutes } from '~/features/profile/routes'
import '~/i18n/area'
import { knowResources } from '~/kit/resource/resources'
import { routesOf } from '~/kit/resource/routes'
import { page, shown } from '~/kit/route/lazy-page'
import AdminLayout from './admin-layout'
import PathNotFound from './path-not-found'
import { resources } from './resources'

knowResources(resources)

/** Everything behind the sign-in page. It is loaded with the first address in here, so that signing in does not grow with each resource. */
export const area: RouteObject[] = [
  {
    ...shown(AdminLayout, 'shell', 'names'),
    children: [
      { path: 'home', ...page(() => import('./home'), 'home', 'imports') },
      ...resources.flatMap(routesOf),
      ...priceCalculatorRoutes,
      ...conditionsDemoRoutes,
      ...profileRoutes,
      { path: '*', ...shown(PathNotFound) },
    ],
  },
]
