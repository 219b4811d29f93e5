import Chip from '@mui/material/Chip'
import { Ban, Check, CircleX, Clock, type LucideIcon } from 'lucide-react'
import type { WebhookDeliveryStatus } from '~/api/schema'
import { useLabels } from '~/i18n/labels'

/** Colour by meaning, and never colour alone. */
const LOOK: Record<WebhookDeliveryStatus, { color: 'success' | 'error' | 'default' | 'primary'; icon: LucideIcon }> = {
  pending: { color: 'primary', icon: Clock },
  delivered: { color: 'success', icon: Check },
  failed: { color: 'error', icon: CircleX },
  withdrawn: { color: 'default', icon: Ban },
}

export function DeliveryChip({ status }: { status: WebhookDeliveryStatus }) {
  const labels = useLabels('webhookDeliveries')
  const { color, icon: Icon } = LOOK[status]
  return (
    <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={labels.enum('status', status)} sx={{ pl: 0.5 }} />
  )
}
