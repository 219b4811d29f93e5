import DialogActions, { type DialogActionsProps } from '@mui/material/DialogActions'
import { SnackbarSlot } from './snackbar-slot'

/** A dialog's buttons, and above them the place of its snackbars. */
export function DialogFooter({ open = true, sx, ...props }: DialogActionsProps & { open?: boolean }) {
  return (
    <>
      <SnackbarSlot open={open} />
      <DialogActions {...props} sx={[{ px: 3, pb: 2.5 }, ...(Array.isArray(sx) ? sx : [sx])]} />
    </>
  )
}
