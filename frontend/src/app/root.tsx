import { Suspense } from 'react'
import { Outlet } from 'react-router'
import { ConfirmProvider } from '~/kit/feedback/confirm'
import { LoadingView } from '~/kit/feedback/loading-view'
import { SnackbarHost } from '~/kit/feedback/snackbar-host'
import { LoadingBar } from '~/kit/shell/loading-bar'

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
