import Chip from '@mui/material/Chip'
import { Ban, Check, CircleX, Clock, LoaderCircle, type LucideIcon, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Import } from '~/api/schema'

type Status = Import['status']

/** Colour by meaning, and never colour alone. */
const LOOK: Record<Status, { color: 'success' | 'error' | 'default' | 'primary'; icon: LucideIcon }> = {
  Queued: { color: 'primary', icon: Clock },
  InProgress: { color: 'primary', icon: LoaderCircle },
  Success: { color: 'success', icon: Check },
  PartialSuccess: { color: 'success', icon: TriangleAlert },
  Failed: { color: 'error', icon: CircleX },
  Cancelled: { color: 'default', icon: Ban },
}

export function ImportStatusChip({ status }: { status: Status }) {
  const { t } = useTranslation('shell')
  const { color, icon: Icon } = LOOK[status]
  return (
    <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={t(`imports.status.${status}`)} sx={{ pl: 0.5 }} />
  )
}
