import Box from '@mui/material/Box'
import Dialog, { type DialogProps } from '@mui/material/Dialog'
import DialogContent, { type DialogContentProps } from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useTheme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { Fragment, type ReactElement, type ReactNode, useId } from 'react'
import { DialogFooter } from './dialog-footer'

export interface DialogFrameProps {
  title: ReactNode
  /** Text above the content, which describes the dialog to screen readers. */
  description?: ReactNode
  open?: boolean
  /** True while a request is running: neither Escape nor a click beside the dialog closes it. */
  pending?: boolean
  onClose: () => void
  maxWidth?: 'xs' | 'sm' | 'md'
  /** True if the dialog fills the screen of a phone, for content of more than a few lines. */
  fullScreenOnPhone?: boolean
  /** True if the buttons are stacked on a phone, so that a confirmation is not where "save" was tapped. */
  stacksActions?: boolean
  actions: ReactNode
  content?: Pick<DialogContentProps, 'sx' | 'tabIndex'>
  transition?: NonNullable<DialogProps['slotProps']>['transition']
  /** Content between body and buttons while a request is running. */
  progress?: ReactNode
  /** Wraps content and buttons, for example in a form. */
  wrap?: (inner: ReactNode) => ReactElement
  children?: ReactNode
}

const STACKED = { gap: 1, flexDirection: { xs: 'column-reverse', sm: 'row' }, alignItems: 'stretch' } as const

/** Dialog with heading, content and buttons. */
export function DialogFrame({
  title,
  description,
  open = true,
  pending = false,
  onClose,
  maxWidth = 'sm',
  fullScreenOnPhone = false,
  stacksActions = false,
  actions,
  content,
  transition,
  progress,
  wrap = (inner) => <Fragment>{inner}</Fragment>,
  children,
}: DialogFrameProps) {
  const id = useId()
  const phone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true }) && fullScreenOnPhone
  return (
    <Dialog
      open={open}
      onClose={() => !pending && onClose()}
      fullWidth
      fullScreen={phone}
      maxWidth={maxWidth}
      aria-labelledby={`${id}-title`}
      aria-describedby={description ? `${id}-about` : undefined}
      slotProps={{ paper: { sx: phone ? { borderRadius: 0 } : {} }, transition }}
    >
      <DialogTitle id={`${id}-title`} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      {wrap(
        <>
          <DialogContent {...content}>
            {description && <DialogContentText id={`${id}-about`}>{description}</DialogContentText>}
            {children}
          </DialogContent>
          {progress && <Box sx={{ px: 3, pt: 2 }}>{progress}</Box>}
          <DialogFooter open={open} disableSpacing={stacksActions} {...(stacksActions && { sx: STACKED })}>
            {actions}
          </DialogFooter>
        </>,
      )}
    </Dialog>
  )
}
