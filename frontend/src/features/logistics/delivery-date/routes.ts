import type { RouteObject } from 'react-router'
import { page } from '~/kit/records/lazy-page'
import { deliveryDate } from './screen'

export const deliveryDateRoutes: RouteObject[] = [
  {
    path: deliveryDate.path.slice(1),
    handle: 'delivery',
    ...page(() => import('./calculator'), 'deliveryDate', 'itinerary', 'warehouses'),
  },
]
