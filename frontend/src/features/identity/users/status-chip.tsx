import Chip from '@mui/material/Chip'
import { Ban, Check, Clock, Hourglass, type LucideIcon, MailCheck, MailPlus, MailWarning } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { User, UserStatus } from '~/api/schema'

/** Colour by meaning, and never colour alone. */
const LOOK: Record<UserStatus, { color: 'success' | 'error' | 'warning' | 'primary'; icon: LucideIcon }> = {
  NotInvited: { color: 'warning', icon: MailPlus },
  InvitationQueued: { color: 'primary', icon: Clock },
  InvitationPending: { color: 'primary', icon: MailCheck },
  InvitationExpired: { color: 'warning', icon: Hourglass },
  Verified: { color: 'success', icon: Check },
  Disabled: { color: 'error', icon: Ban },
}

const UNDELIVERED = { color: 'error', icon: MailWarning } as const

export function UserStatusChip({ user: { status, undelivered } }: { user: User }) {
  const { t } = useTranslation('users')
  const { color, icon: Icon } = undelivered ? UNDELIVERED : LOOK[status]
  const label = undelivered ? t('undelivered') : t(`enums.status.${status}`)
  return <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={label} sx={{ pl: 0.5 }} />
}
