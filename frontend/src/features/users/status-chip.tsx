import Chip from '@mui/material/Chip'
import { Ban, Check, Clock, Hourglass, type LucideIcon, MailCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { UserStatus } from '~/api/schema'

/** Colour by meaning, and never colour alone. */
const LOOK: Record<UserStatus, { color: 'success' | 'error' | 'warning' | 'primary'; icon: LucideIcon }> = {
  InvitationQueued: { color: 'primary', icon: Clock },
  InvitationPending: { color: 'primary', icon: MailCheck },
  InvitationExpired: { color: 'warning', icon: Hourglass },
  Verified: { color: 'success', icon: Check },
  Disabled: { color: 'error', icon: Ban },
}

export function UserStatusChip({ status }: { status: UserStatus }) {
  const { t } = useTranslation('users')
  const { color, icon: Icon } = LOOK[status]
  return (
    <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={t(`enums.status.${status}`)} sx={{ pl: 0.5 }} />
  )
}
