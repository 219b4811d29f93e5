import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { LeaveBlocker } from '~/kit/form/use-leave-guard'
import { LoadingBar } from '~/kit/shell/loading-bar'
import { ConfirmProvider } from '~/kit/ui/confirm'
import { LoadingView } from '~/kit/ui/loading-view'
import { SnackbarHost } from '~/kit/ui/snackbar-host'

export function Root() {
  return (
    <ConfirmProvider>
      <LeaveBlocker />
      <LoadingBar />
      <Suspense fallback={<LoadingView />}>
        <Outlet />
      </Suspense>
      <SnackbarHost />
    </ConfirmProvider>
  )
}
