import { Ban, Check, Clock, Hourglass, MailCheck, MailPlus, MailWarning } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { User, UserStatus } from '~/api/schema'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'

const LOOK: Record<UserStatus, StateLook> = {
  NotInvited: { color: 'warning', icon: MailPlus },
  InvitationQueued: { color: 'primary', icon: Clock },
  InvitationPending: { color: 'primary', icon: MailCheck },
  InvitationExpired: { color: 'warning', icon: Hourglass },
  Verified: { color: 'success', icon: Check },
  Disabled: { color: 'error', icon: Ban },
}

const UNDELIVERED: StateLook = { color: 'error', icon: MailWarning }

export function UserStatusChip({ user: { status, undelivered } }: { user: User }) {
  const { t } = useTranslation('users')
  const label = undelivered ? t('undelivered') : t(`enums.status.${status}`)
  return <StateChip look={undelivered ? UNDELIVERED : LOOK[status]} label={label} />
}
