import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogContent from '@mui/material/DialogContent'
import DialogContentText from '@mui/material/DialogContentText'
import DialogTitle from '@mui/material/DialogTitle'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { CopyText } from '~/kit/feedback/copy-text'
import { DialogFooter } from '~/kit/feedback/dialog-footer'
import { FormErrors } from '~/kit/feedback/form-errors'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { users } from './api'

/** Makes an invitation and shows its link, this once. */
export default function InviteDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(['users', 'common'])
  const format = useFormat()
  const id = useId()
  const { mutate, data, error } = useMutation({
    mutationFn: () => users.invite(user.id),
  })
  const asked = useRef(false)
  useEffect(() => {
    // each one voids the one before
    if (asked.current) return
    asked.current = true
    mutate()
  }, [mutate])

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
          <CopyText label={t('invite.link')} text={data.link} action={t('invite.copy')} done={t('invite.copied')} autoFocus />
        ) : (
          <FormSkeleton />
        )}
      </DialogContent>
      <DialogFooter>
        <Button color="inherit" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
