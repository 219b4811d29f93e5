import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo } from 'react'
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router'
import { $api, client } from '~/api/client'
import { ImportBell } from '~/features/exchange/imports/import-bell'
import { tenantRef } from '~/features/identity/tenants/ref'
import { UndoImpactProvider } from '~/features/shared/price-impact/undo-impact'
import { useAskToLeave } from '~/kit/form/use-leave-guard'
import { AppShell } from '~/kit/shell/app-shell'
import { addCounts, addLinks, currentItem, mayOpen, visibleMenu, WAITING } from '~/kit/shell/menu'
import { AreaForbidden, NoPermission } from '~/kit/shell/no-permission'
import { TenantRequired } from '~/kit/shell/tenant-required'
import { TenantSelect } from '~/kit/shell/tenant-select'
import { TopBar } from '~/kit/shell/top-bar'
import { ConfirmDialog } from '~/kit/ui/confirm'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { LoadFailed } from '~/kit/ui/load-failed'
import { LoadingView } from '~/kit/ui/loading-view'
import { whenIdle } from '~/lib/when-idle'
import { useConfig, useConfigLoaded } from '~/session/config'
import { adoptLanguage } from '~/session/language'
import { MeContext, meOptions, rightsOf, sessionOptions, useCan, useMe } from '~/session/me'
import { session, useSession } from '~/session/session'
import { useTenant } from '~/session/tenant'
import { menu } from './menu'
import { PaletteButton } from './palette-button'
import PathNotFound from './path-not-found'

const ReauthDialog = lazyWithTexts(() => import('~/features/identity/auth/reauth-dialog'), 'auth')

/** Counts of the menu. Changes of records invalidate them; changes by others appear within a minute. */
const waitingOptions = $api.queryOptions(
  'get',
  '/api/admin/attention',
  { params: { query: { about: Object.values(WAITING).join(',') } } },
  { staleTime: 60_000, refetchInterval: 60_000 },
)

/**
 * Layout behind the sign-in. Redirects users who are not signed in; when a session expires, it says so, and
 * an open form stays.
 */
export default function AdminLayout() {
  const { phase } = useSession()
  const { pathname, search } = useLocation()
  if (phase === 'out') return <Navigate to="/login" replace />
  const from = pathname + search
  if (phase === 'none') return <Navigate to="/login" replace state={{ from }} />
  if (phase === 'timedOut') return <Navigate to="/login" replace state={{ from, timedOut: true }} />
  return <SignedIn locked={phase === 'locked'} />
}

function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  const askToLeave = useAskToLeave()
  return async () => {
    if (session.hasUnsaved() && !(await askToLeave())) return
    // a failure of the call does not keep the user from signing out
    const signOutRequest = client.DELETE('/api/sessions/current').catch((error: unknown) => console.warn('sign-out failed', error))
    session.signOut()
    navigate('/login', { replace: true })
    await signOutRequest
  }
}

function SignedIn({ locked }: { locked: boolean }) {
  const me = useQuery({ ...meOptions(), enabled: !locked })
  useQuery({ ...sessionOptions(), enabled: !locked && me.isSuccess })
  const signOut = useSignOut()
  useEffect(() => {
    if (me.data) adoptLanguage(me.data)
  }, [me.data])
  useEffect(
    () =>
      whenIdle(() => {
        ReauthDialog.preload()
        ConfirmDialog.preload()
      }),
    [],
  )
  if (!me.data) return me.error ? <LoadFailed error={me.error} retry={() => void me.refetch()} page /> : <LoadingView />
  if (!rightsOf(me.data).has('access-admin')) {
    return (
      <MeContext.Provider value={me.data}>
        <NoPermission onSignOut={() => void signOut()} />
      </MeContext.Provider>
    )
  }
  return (
    <MeContext.Provider value={me.data}>
      <UndoImpactProvider>
        <Shell onSignOut={() => void signOut()} />
      </UndoImpactProvider>
      {locked && (
        // own boundary, so that the suspended dialog does not hide the page below
        <Suspense fallback={null}>
          <ReauthDialog email={me.data.email} onSwitchUser={() => session.signOut()} />
        </Suspense>
      )}
    </MeContext.Provider>
  )
}

function Shell({ onSignOut }: { onSignOut: () => void }) {
  const me = useMe()
  const { flags, links } = useConfig()
  const viewer = useMemo(() => ({ rights: rightsOf(me), flags, isOperator: me.tenant_id === null }), [me, flags])
  const { data: waiting } = useQuery({ ...waitingOptions, retry: false })
  const visibleGroups = useMemo(() => {
    const counts = new Map(waiting?.data.map(({ about, count }) => [about, count]))
    return addCounts(visibleMenu(addLinks(menu, links), viewer), counts)
  }, [viewer, links, waiting])
  const bell = useCan('import.list', 'import.view')
  return (
    <AppShell
      menu={visibleGroups}
      tools={
        <TopBar
          tenantSelect={me.tenant_id === null ? <TenantSelect tenants={tenantRef} /> : null}
          bell={bell ? <ImportBell /> : null}
          palette={(onHelp) => <PaletteButton menu={visibleGroups} onHelp={onHelp} onSignOut={onSignOut} />}
          onSignOut={onSignOut}
        />
      }
    >
      <Area viewer={viewer} />
    </AppShell>
  )
}

/** Page of the area after its checks: feature flag, permissions, chosen tenant. */
function Area({ viewer }: { viewer: Parameters<typeof mayOpen>[1] }) {
  const { pathname } = useLocation()
  const { tenantId } = useTenant()
  const isConfigLoaded = useConfigLoaded()
  const item = currentItem(menu, pathname)?.item
  if (item?.flag && !isConfigLoaded) return <LoadingView />
  if (item?.flag && !viewer.flags[item.flag]) return <PathNotFound />
  if (item && !mayOpen(item, viewer)) return <AreaForbidden />
  if (item?.tenant === 'required' && tenantId === null) return <TenantRequired chooser={<TenantSelect tenants={tenantRef} />} />
  return <Outlet />
}
