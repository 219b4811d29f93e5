import type { RouteObject } from 'react-router'
import { lazyRoute } from '~/kit/records/lazy-route'
import { deliveryDate } from './screen'

export const deliveryDateRoutes: RouteObject[] = [
  {
    path: deliveryDate.path.slice(1),
    handle: 'delivery',
    ...lazyRoute(() => import('./calculator'), 'deliveryDate', 'itinerary', 'warehouses'),
  },
]
