import { render } from '@testing-library/react'
import userEvent, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { createMemoryRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from '~/api/query'
import { area } from '~/app/area'
import { Providers } from '~/app/providers'
import { ROOT, routes } from '~/app/router'
import { cloneRoutes } from '~/kit/records/lazy-route'
import { session } from '~/session/session'

export const USERS = {
  admin: 'admin@stalhof.example',
  tenantAdmin: 'leitung@nordstahl.example',
  staff: 'mitarbeit@nordstahl.example',
  shop: 'shop@nordstahl.example',
  nobody: 'niemand@nordstahl.example',
} as const

/** Skips the check for covering elements, which needs styles. */
const WITHOUT_LAYOUT = { pointerEventsCheck: PointerEventsCheckLevel.Never }

/** Renders the whole app at an address, signed in as one of the mock's users. */
export function renderApp(path: string, user: keyof typeof USERS | null = 'admin') {
  if (user) session.signIn(`token-${USERS[user]}`)
  // the router modifies route objects with lazy parts, so each test needs its own
  const router = createMemoryRouter(cloneRoutes(routes), {
    initialEntries: [path],
    patchRoutesOnNavigation: ({ patch }) => patch(ROOT, cloneRoutes(area)),
  })
  const view = render(
    <StrictMode>
      <Providers client={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
  const search = () => decodeURIComponent(router.state.location.search)
  const path_ = () => router.state.location.pathname
  return { ...view, router, search, path: path_, user: userEvent.setup(WITHOUT_LAYOUT) }
}
