import Button from '@mui/material/Button'
import { MailPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/api/schema'
import { later } from '~/kit/ui/later'
import { useMayInvite } from './may-invite'

const InviteDialog = later(() => import('./invite-dialog'))

/** Sends somebody the invitation that they have not had, or had in vain; nothing for whoever may not or need not. */
export function InviteButton({ user, label }: { user: User; label: string }) {
  const { t } = useTranslation('users')
  const may = useMayInvite()
  const [open, setOpen] = useState(false)
  const isDue = may(user) && user.status !== 'InvitationQueued' && user.status !== 'InvitationPending'
  return (
    <>
      {isDue && (
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
      {/* it stays when its own invitation changes the status: the link is shown this once */}
      {open && (
        <Suspense fallback={null}>
          <InviteDialog user={user} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
