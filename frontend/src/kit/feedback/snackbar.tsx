import Alert, { type AlertColor } from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Fade from '@mui/material/Fade'
import Grow from '@mui/material/Grow'
import IconButton from '@mui/material/IconButton'
import Slide, { type SlideProps } from '@mui/material/Slide'
import Snackbar from '@mui/material/Snackbar'
import { X } from 'lucide-react'
import { type ReactElement, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'

type Transition = 'Fade' | 'SlideLeft' | 'SlideUp' | 'SlideRight' | 'SlideDown' | 'Grow'

export interface SnackbarState {
  open: boolean
  key: number
  message: string
  variant: 'default' | 'alert'
  alert: { color: AlertColor; variant: 'filled' | 'outlined' | 'standard' }
  transition: Transition
  close: boolean
  actionButton: boolean
  undo?: (() => void | Promise<void>) | undefined
}

const CLOSED: SnackbarState = {
  open: false,
  key: 0,
  message: '',
  variant: 'alert',
  alert: { color: 'success', variant: 'filled' },
  transition: 'SlideUp',
  close: true,
  actionButton: false,
}

let state = CLOSED
const listeners = new Set<() => void>()
function set(next: SnackbarState) {
  state = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

type Options = Partial<Pick<SnackbarState, 'transition' | 'close'>>
const alertOf = (color: AlertColor) => (message: string, options?: Options) =>
  set({ ...CLOSED, ...options, open: true, key: state.key + 1, message, alert: { color, variant: 'filled' } })

/** Outside of React too: a finished save reports from wherever it ends. */
export const notify = {
  success: alertOf('success'),
  info: alertOf('info'),
  warning: alertOf('warning'),
  error: alertOf('error'),
  /** Something was done that can be taken back. */
  undoable(message: string, undo: () => void | Promise<void>, options?: Options) {
    set({ ...CLOSED, ...options, open: true, key: state.key + 1, message, variant: 'default', actionButton: true, undo })
  },
  close: () => set({ ...state, open: false }),
}

const slide = (direction: SlideProps['direction']) => (props: SlideProps) => <Slide {...props} direction={direction} />
const TRANSITIONS = {
  Fade,
  Grow,
  SlideLeft: slide('left'),
  SlideUp: slide('up'),
  SlideRight: slide('right'),
  SlideDown: slide('down'),
}

export function SnackbarHost(): ReactElement {
  const { t } = useTranslation()
  const snack = useSyncExternalStore(subscribe, () => state)
  const undo = snack.undo && (
    <Button
      color="inherit"
      size="small"
      onClick={() => {
        notify.close()
        void snack.undo?.()
      }}
    >
      {t('actions.undo')}
    </Button>
  )
  const close = snack.close && (
    <IconButton color="inherit" size="small" aria-label={t('actions.close')} onClick={notify.close}>
      <X size={18} />
    </IconButton>
  )
  const shared = {
    open: snack.open,
    autoHideDuration: 4000,
    anchorOrigin: { vertical: 'bottom', horizontal: 'right' } as const,
    slots: { transition: TRANSITIONS[snack.transition] as typeof Fade },
    onClose: (_event: unknown, reason: string) => {
      if (reason !== 'clickaway') notify.close()
    },
  }
  if (snack.variant === 'default') {
    return (
      <Snackbar
        {...shared}
        key={snack.key}
        message={snack.message}
        action={
          <>
            {undo}
            {close}
          </>
        }
      />
    )
  }
  return (
    <Snackbar {...shared} key={snack.key}>
      <Alert
        severity={snack.alert.color}
        variant={snack.alert.variant}
        role={snack.alert.color === 'error' ? 'alert' : 'status'}
        action={
          <>
            {snack.actionButton && undo}
            {close}
          </>
        }
        sx={{ alignItems: 'center', boxShadow: 6 }}
      >
        {snack.message}
      </Alert>
    </Snackbar>
  )
}
