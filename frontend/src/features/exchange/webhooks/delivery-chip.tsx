import { Ban, Check, CircleX, Clock } from 'lucide-react'
import type { WebhookDeliveryStatus } from '~/api/schema'
import { useLabels } from '~/i18n/labels'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'

const LOOK: Record<WebhookDeliveryStatus, StateLook> = {
  pending: { color: 'primary', icon: Clock },
  delivered: { color: 'success', icon: Check },
  failed: { color: 'error', icon: CircleX },
  withdrawn: { color: 'default', icon: Ban },
}

export function DeliveryChip({ status }: { status: WebhookDeliveryStatus }) {
  const labels = useLabels('webhookDeliveries')
  return <StateChip look={LOOK[status]} label={labels.enum('status', status)} />
}
