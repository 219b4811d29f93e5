import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { LoadingBar } from '~/kit/shell/loading-bar'
import { ConfirmProvider } from '~/kit/ui/confirm'
import { LoadingView } from '~/kit/ui/loading-view'
import { SnackbarHost } from '~/kit/ui/snackbar-host'

export function Root() {
  return (
    <ConfirmProvider>
      <LoadingBar />
      <Suspense fallback={<LoadingView />}>
        <Outlet />
      </Suspense>
      <SnackbarHost />
    </ConfirmProvider>
  )
}
