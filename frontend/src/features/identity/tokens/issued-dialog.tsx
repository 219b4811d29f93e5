import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { IssuedToken } from '~/api/schema'
import { CopyText } from '~/kit/ui/copy-text'
import { DialogFooter } from '~/kit/ui/dialog-footer'
import { sampleCall } from './abilities'

/** Shows a token, this once; a click beside the dialog does not close it. */
export default function IssuedDialog({ issued, onClose }: { issued: IssuedToken; onClose: () => void }) {
  const { t } = useTranslation(['tokens', 'common'])
  const id = useId()
  const { token, plain_text } = issued
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
        {t('issued.title', { name: token.name })}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
        <Alert severity="warning" variant="outlined" id={`${id}-body`}>
          {t('issued.body')}
        </Alert>
        <CopyText label={t('issued.token')} text={plain_text} action={t('issued.copyToken')} done={t('issued.tokenCopied')} autoFocus />
        <CopyText
          label={t('issued.call')}
          text={sampleCall(window.location.origin, plain_text, token.abilities)}
          action={t('issued.copyCall')}
          done={t('issued.callCopied')}
          long
        />
      </DialogContent>
      <DialogFooter>
        <Button variant="contained" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
