import Chip from '@mui/material/Chip'
import { Archive, Check, Clock, type LucideIcon, Megaphone } from 'lucide-react'
import type { PriceList } from '~/api/schema'
import { useLabels } from '~/i18n/labels'

/** Colour and icon of each status, so that colour is never the only distinction. */
const LOOK: Record<PriceList['status'] | 'announced', { color: 'success' | 'default' | 'primary'; icon: LucideIcon }> = {
  pending: { color: 'primary', icon: Clock },
  announced: { color: 'primary', icon: Megaphone },
  active: { color: 'success', icon: Check },
  inactive: { color: 'default', icon: Archive },
}

/**
 * Status of a list; a planned one that customers can already see is announced, and of other companies only
 * such lists are visible.
 */
export function PriceListStatus({ row: { status, announce, type } }: { row: Pick<PriceList, 'status' | 'announce' | 'type'> }) {
  const labels = useLabels('priceLists')
  const shownStatus = status === 'pending' && announce !== false && type === 'sales' ? 'announced' : status
  const { color, icon: Icon } = LOOK[shownStatus]
  return (
    <Chip
      size="small"
      variant="outlined"
      color={color}
      icon={<Icon size={14} />}
      label={labels.enum('shownStatus', shownStatus)}
      sx={{ pl: 0.5 }}
    />
  )
}
