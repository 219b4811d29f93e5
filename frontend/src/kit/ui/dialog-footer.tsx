import DialogActions, { type DialogActionsProps } from '@mui/material/DialogActions'
import { SnackbarSlot } from './snackbar-slot'

/** Buttons of a dialog, and above them the slot for snackbars. */
export function DialogFooter({ open = true, sx, ...props }: DialogActionsProps & { open?: boolean }) {
  return (
    <>
      <SnackbarSlot open={open} />
      <DialogActions {...props} sx={[{ px: 3, pb: 2.5 }, ...(Array.isArray(sx) ? sx : [sx])]} />
    </>
  )
}
