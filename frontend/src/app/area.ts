import type { RouteObject } from 'react-router'
import { articleTypeGroupRoutes } from '~/features/article-type-groups/routes'
import { articleTypeRoutes } from '~/features/article-types/routes'
import { articleRoutes } from '~/features/articles/routes'
import { attributeRoutes } from '~/features/attributes/routes'
import { auditRoutes } from '~/features/audit/routes'
import { categoryRoutes } from '~/features/categories/routes'
import { importRoutes } from '~/features/imports/routes'
import { materialRoutes } from '~/features/materials/routes'
import { processingRoutes } from '~/features/processings/routes'
import { profileRoutes } from '~/features/profile/routes'
import { roleRoutes } from '~/features/roles/routes'
import { tenantGroupRoutes } from '~/features/tenant-groups/routes'
import { tenantRoutes } from '~/features/tenants/routes'
import { tokenRoutes } from '~/features/tokens/routes'
import { tradeDimensionRoutes } from '~/features/trade-dimensions/routes'
import { userRoutes } from '~/features/users/routes'
import '~/i18n/area'
import { RouteError } from '~/kit/feedback/route-error'
import { page, shown } from '~/kit/route/lazy-page'
import AdminLayout from './admin-layout'
import PathNotFound from './path-not-found'

/** Everything behind the sign-in page. It is loaded with the first address in here, so that signing in does not grow with each resource. */
export const area: RouteObject[] = [
  {
    lazy: shown(AdminLayout, 'shell'),
    children: [
      {
        ErrorBoundary: RouteError,
        children: [
          { path: 'home', lazy: page(() => import('~/features/home/home')) },
          ...attributeRoutes,
          ...materialRoutes,
          ...tradeDimensionRoutes,
          ...importRoutes,
          ...articleTypeRoutes,
          ...articleRoutes,
          ...articleTypeGroupRoutes,
          ...processingRoutes,
          ...categoryRoutes,
          ...userRoutes,
          ...tenantRoutes,
          ...tenantGroupRoutes,
          ...roleRoutes,
          ...auditRoutes,
          ...tokenRoutes,
          ...profileRoutes,
          { path: '*', lazy: shown(PathNotFound) },
        ],
      },
    ],
  },
]
