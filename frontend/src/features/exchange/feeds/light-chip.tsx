import Chip from '@mui/material/Chip'
import { Check, CirclePause, CircleX, Clock, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { FeedLight } from '~/api/schema'

/** Colour by meaning, and never colour alone. */
const LOOK: Record<FeedLight, { color: 'success' | 'error' | 'warning' | 'default'; icon: LucideIcon }> = {
  broken: { color: 'error', icon: CircleX },
  late: { color: 'warning', icon: Clock },
  green: { color: 'success', icon: Check },
  paused: { color: 'default', icon: CirclePause },
}

export function LightChip({ light }: { light: FeedLight }) {
  const { t } = useTranslation('feeds')
  const { color, icon: Icon } = LOOK[light]
  return <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={t(`lights.${light}`)} sx={{ pl: 0.5 }} />
}
