import { Ban, Check, CircleX, Clock, LoaderCircle, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'
import { StateChip, type StateLook } from '~/kit/ui/state-chip'

type Status = Import['status']

const LOOK: Record<Status, StateLook> = {
  Queued: { color: 'primary', icon: Clock },
  InProgress: { color: 'primary', icon: LoaderCircle },
  Success: { color: 'success', icon: Check },
  PartialSuccess: { color: 'success', icon: TriangleAlert },
  Failed: { color: 'error', icon: CircleX },
  Cancelled: { color: 'default', icon: Ban },
}

export function ImportStatusChip({ status }: { status: Status }) {
  const { t } = useTranslation('shell')
  return <StateChip look={LOOK[status]} label={t(`imports.status.${status}`)} />
}
