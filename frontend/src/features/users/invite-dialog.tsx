import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import FormControl from '@mui/material/FormControl'
import FormLabel from '@mui/material/FormLabel'
import OutlinedInput from '@mui/material/OutlinedInput'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { FormErrors } from '~/kit/feedback/form-errors'
import { notify } from '~/kit/feedback/snackbar'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { users } from './api'

/** Makes an invitation and shows its link, this once. */
export default function InviteDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(['users', 'common'])
  const format = useFormat()
  const client = useQueryClient()
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const { mutate, data, error } = useMutation({
    mutationFn: () => users.invite(user.id),
    onSettled: () => Promise.all(users.keys.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const asked = useRef(false)
  useEffect(() => {
    // each one voids the one before
    if (asked.current) return
    asked.current = true
    mutate()
  }, [mutate])

  async function copy() {
    if (!data) return
    try {
      await navigator.clipboard.writeText(data.link)
      notify.success(t('invite.copied'))
    } catch {
      // without https there is no clipboard: the person copies what is marked
      field.current?.select()
    }
  }

  return (
    <Dialog open onClose={onClose} fullWidth maxWidth="sm" aria-labelledby={`${id}-title`} aria-describedby={`${id}-body`}>
      <DialogTitle id={`${id}-title`} sx={{ overflowWrap: 'anywhere' }}>
        {t('invite.title', { name: user.name })}
      </DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <DialogContentText id={`${id}-body`}>
          {data ? t('invite.body', { email: user.email, until: format.dateTime(data.expires_at) }) : t('invite.pending')}
        </DialogContentText>
        {error ? (
          <FormErrors error={error} />
        ) : data ? (
          <FormControl fullWidth>
            <FormLabel htmlFor={`${id}-link`}>{t('invite.link')}</FormLabel>
            <OutlinedInput
              id={`${id}-link`}
              inputRef={field}
              value={data.link}
              readOnly
              onFocus={(event) => event.target.select()}
              inputProps={{ style: { fontFamily: 'ui-monospace, monospace', fontSize: '0.8125rem' } }}
            />
          </FormControl>
        ) : (
          <FormSkeleton />
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button color="inherit" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
        {data && (
          <Button variant="contained" startIcon={<Copy size={16} />} onClick={() => void copy()} autoFocus>
            {t('invite.copy')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
