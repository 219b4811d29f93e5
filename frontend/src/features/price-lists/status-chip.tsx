import Chip from '@mui/material/Chip'
import { Archive, Check, Clock, type LucideIcon } from 'lucide-react'
import type { PriceList } from '~/api/schema'
import { useLabels } from '~/i18n/labels'

/** Colour by meaning, and never colour alone. */
const LOOK: Record<PriceList['status'], { color: 'success' | 'default' | 'primary'; icon: LucideIcon }> = {
  pending: { color: 'primary', icon: Clock },
  active: { color: 'success', icon: Check },
  inactive: { color: 'default', icon: Archive },
}

export function PriceListStatus({ status }: { status: PriceList['status'] }) {
  const labels = useLabels('priceLists')
  const { color, icon: Icon } = LOOK[status]
  return (
    <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={labels.enum('status', status)} sx={{ pl: 0.5 }} />
  )
}
