import Portal from '@mui/material/Portal'
import { Suspense } from 'react'
import { lazyWithTexts } from './lazy-with-texts'
import { useSnackbar, useSnackbarSlot } from './snackbar'

const SnackbarView = lazyWithTexts(() => import('./snackbar-view'))

/** Loads the snackbar with its first message. */
export function SnackbarHost() {
  const { key } = useSnackbar()
  const slot = useSnackbarSlot()
  if (key === 0) return null
  return (
    <Suspense fallback={null}>
      {/*
       * remounted with each message: an open drawer hides elements from screen readers that were mounted
       * before it
       */}
      <Portal key={key} container={slot}>
        <SnackbarView inline={slot !== null} />
      </Portal>
    </Suspense>
  )
}
