import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Confirmation } from './confirm'
import { FormErrors } from './form-errors'

interface Props extends Confirmation {
  open: boolean
  onAnswer: (yes: boolean) => void
}

export default function ConfirmDialog({ title, body, action, retype, cancel, run, open, onAnswer }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const [typed, setTyped] = useState('')
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const blocked = retype !== undefined && typed !== retype

  async function submit(event: FormEvent) {
    event.preventDefault()
    // a dialog over a form is a React child of it
    event.stopPropagation()
    if (pending || blocked) return
    setPending(true)
    setError(null)
    try {
      await run?.()
      onAnswer(true)
    } catch (failure) {
      setError(failure)
      setPending(false)
    }
  }

  return (
    <Dialog
      open={open}
      onClose={() => !pending && onAnswer(false)}
      fullWidth
      maxWidth="xs"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
    >
      <form onSubmit={submit}>
        <DialogTitle id={`${id}-title`} sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </DialogTitle>
        <DialogContent sx={{ display: 'grid', gap: 2 }}>
          <DialogContentText id={`${id}-body`} sx={{ overflowWrap: 'anywhere' }}>
            {body}
          </DialogContentText>
          {retype !== undefined && (
            <FormControl fullWidth>
              <FormLabel htmlFor={`${id}-retype`}>{t('confirm.retype', { text: retype })}</FormLabel>
              <OutlinedInput
                id={`${id}-retype`}
                autoFocus
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                inputProps={{ spellCheck: false }}
              />
            </FormControl>
          )}
          <FormErrors error={error} />
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button color="inherit" onClick={() => onAnswer(false)} disabled={pending} autoFocus={retype === undefined}>
            {cancel ?? t('actions.cancel')}
          </Button>
          <Button type="submit" variant="contained" color="error" loading={pending} disabled={blocked}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
