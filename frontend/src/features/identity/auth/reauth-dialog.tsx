import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '~/kit/ui/snackbar'
import { SnackbarSlot } from '~/kit/ui/snackbar-slot'
import { session } from '~/session/session'
import { LoginForm } from './login-form'

/** Dialog to sign in again above a form when the session has ended, so that no input is lost. */
export default function ReauthDialog({ email, onSwitchUser }: { email: string; onSwitchUser: () => void }) {
  const { t } = useTranslation('auth')
  const id = useId()
  const queries = useQueryClient()
  const [password, setPassword] = useState('')
  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby={id}>
      <DialogTitle id={id}>{t('reauth.title')}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2.5 }}>
        <DialogContentText>{t('reauth.body')}</DialogContentText>
        <LoginForm
          fixedEmail={email}
          email={email}
          password={password}
          onChange={(value) => setPassword(value.password)}
          onToken={(token) => {
            session.signIn(token)
            void queries.invalidateQueries()
            notify.info(t('reauth.done'))
          }}
        />
        <Button color="inherit" size="small" onClick={onSwitchUser}>
          {t('reauth.other')}
        </Button>
      </DialogContent>
      <SnackbarSlot />
    </Dialog>
  )
}
