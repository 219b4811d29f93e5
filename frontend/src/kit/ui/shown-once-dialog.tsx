import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogFooter } from './dialog-footer'

interface Props {
  title: string
  /** Warning that the secret is not shown again. */
  warning: string
  onClose: () => void
  /** Secret, and help on its use. */
  children: ReactNode
}

/** Dialog for a secret that is shown only once; a click beside it does not close it. */
export function ShownOnceDialog({ title, warning, onClose, children }: Props) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <Dialog
      open
      onClose={(_, reason) => reason === 'escapeKeyDown' && onClose()}
      fullWidth
      maxWidth="sm"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
    >
      <DialogTitle id={`${id}-title`} sx={{ overflowWrap: 'anywhere' }}>
        {title}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
        <Alert severity="warning" variant="outlined" id={`${id}-body`}>
          {warning}
        </Alert>
        {children}
      </DialogContent>
      <DialogFooter>
        <Button variant="contained" onClick={onClose}>
          {t('actions.close')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
