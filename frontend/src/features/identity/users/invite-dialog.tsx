import Button from '@mui/material/Button'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { FormSkeleton } from '~/kit/form/form-drawer'
import { CopyText } from '~/kit/ui/copy-text'
import { DialogFrame } from '~/kit/ui/dialog-frame'
import { FormErrors } from '~/kit/ui/form-errors'
import { users } from './api'

/** Creates an invitation and shows its link, which cannot be shown again. */
export default function InviteDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation(['users', 'common'])
  const format = useFormat()
  const { mutate, data, error } = useMutation({
    mutationFn: () => users.invite(user.id),
  })
  const hasRequested = useRef(false)
  useEffect(() => {
    // each invitation invalidates the one before it
    if (hasRequested.current) return
    hasRequested.current = true
    mutate()
  }, [mutate])

  return (
    <DialogFrame
      title={t('invite.title', { name: user.name })}
      description={
        data ? t('invite.body', { email: user.email, until: format.dateTime(data.expires_at) }) : error ? null : t('invite.pending')
      }
      onClose={onClose}
      content={{ sx: { display: 'grid', gap: 2 } }}
      actions={
        <>
          <Button color="inherit" onClick={onClose}>
            {t('common:actions.close')}
          </Button>
          {error && (
            <Button variant="contained" onClick={() => mutate()}>
              {t('invite.again')}
            </Button>
          )}
        </>
      }
    >
      {error ? (
        <FormErrors error={error} title={t('invite.failed', { email: user.email })} />
      ) : data ? (
        <CopyText label={t('invite.link')} text={data.link} action={t('invite.copy')} done={t('invite.copied')} autoFocus />
      ) : (
        <FormSkeleton />
      )}
    </DialogFrame>
  )
}
