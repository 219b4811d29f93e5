import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Fade from '@mui/material/Fade'
import Grow from '@mui/material/Grow'
import IconButton from '@mui/material/IconButton'
import Link from '@mui/material/Link'
import Slide, { type SlideProps } from '@mui/material/Slide'
import Snackbar from '@mui/material/Snackbar'
import { X } from 'lucide-react'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link as RouterLink } from 'react-router'
import { useShortcut } from './shortcuts'
import { notify, useSnackbar } from './snackbar'

const slide = (direction: SlideProps['direction']) => (props: SlideProps) => <Slide {...props} direction={direction} />
const TRANSITIONS = {
  Fade,
  Grow,
  SlideLeft: slide('left'),
  SlideUp: slide('up'),
  SlideRight: slide('right'),
  SlideDown: slide('down'),
}

/** Distance from the window's edge that leaves the bar of a sheet visible, with its buttons and errors. */
function aboveSheetBar(): number | undefined {
  const bar = document.querySelector('[data-sheet-bar]')?.getBoundingClientRect()
  const height = bar ? window.innerHeight - bar.top : 0
  return height > 0 && height < 160 ? height + 8 : undefined
}

/** Snackbar at the window's edge, or inline in a drawer or dialog. */
export default function SnackbarView({ inline }: { inline: boolean }) {
  const { t } = useTranslation()
  const snack = useSnackbar()
  // the component is remounted with each message
  const [bottom] = useState(aboveSheetBar)
  const onUndo = snack.undo && (snack.variant === 'default' || snack.actionButton) ? run : null
  function run() {
    notify.close()
    void snack.undo?.()
  }
  // the button disappears too soon to be reached by Tab
  useShortcut('z', t('undo.action'), snack.open ? onUndo : null)
  const undo = onUndo && (
    <Button color="inherit" size="small" onClick={onUndo} aria-keyshortcuts="z">
      {t('actions.undo')}
    </Button>
  )
  const close = snack.close && (
    <IconButton color="inherit" size="small" aria-label={t('actions.dismiss')} onClick={notify.close}>
      <X size={18} />
    </IconButton>
  )
  const shared = {
    open: snack.open,
    autoHideDuration: 4000,
    anchorOrigin: { vertical: 'bottom', horizontal: 'right' } as const,
    slots: { transition: TRANSITIONS[inline ? 'Fade' : snack.transition] as typeof Fade },
    sx: inline ? { position: 'static', mx: 3, my: 1.5 } : {},
    ...(!inline && bottom !== undefined && { style: { bottom } }),
    onClose: (_event: unknown, reason: string) => {
      if (reason !== 'clickaway') notify.close()
    },
  }
  const message = (
    <>
      {snack.message}
      {snack.links?.map(({ label, to }, place) => (
        <Fragment key={label}>
          {place === 0 ? ' ' : ', '}
          <Link component={RouterLink} to={to} color="inherit" underline="always" sx={{ fontWeight: 600 }} onClick={notify.close}>
            {label}
          </Link>
        </Fragment>
      ))}
    </>
  )
  if (snack.variant === 'default') {
    return (
      <Snackbar
        {...shared}
        key={snack.key}
        message={message}
        slotProps={{ content: { role: 'status' } }}
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
            {undo}
            {close}
          </>
        }
        sx={{ alignItems: 'center', boxShadow: 6 }}
      >
        {message}
      </Alert>
    </Snackbar>
  )
}
