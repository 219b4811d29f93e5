import Button from '@mui/material/Button'
import { MailPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/api/schema'
import { lazyWithTexts } from '~/kit/ui/lazy-with-texts'
import { useMayInvite } from './may-invite'

const InviteDialog = lazyWithTexts(() => import('./invite-dialog'))

/**
 * Button that sends an invitation to a user who has none, or whose invitation failed; renders nothing if
 * that is not allowed or not needed.
 */
export function InviteButton({ user, label }: { user: User; label: string }) {
  const { t } = useTranslation('users')
  const may = useMayInvite()
  const [open, setOpen] = useState(false)
  const canInvite = may(user) && user.status !== 'InvitationQueued' && user.status !== 'InvitationPending'
  return (
    <>
      {canInvite && (
        <Button
          size="small"
          variant="outlined"
          startIcon={<MailPlus size={16} />}
          aria-label={t('inviteNamed', { label, name: user.name })}
          onClick={() => setOpen(true)}
          sx={{ whiteSpace: 'nowrap' }}
        >
          {label}
        </Button>
      )}
      {/*
       * the dialog stays open when its own invitation changes the status, since its link is shown only once
       */}
      {open && (
        <Suspense fallback={null}>
          <InviteDialog user={user} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
