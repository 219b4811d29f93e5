import Chip from '@mui/material/Chip'
import { Ban, Check, EqualNot, type LucideIcon } from 'lucide-react'
import type { SampleCart } from '~/api/schema'
import { useLabels } from '~/i18n/labels'

/** Colour by meaning, and never colour alone. */
const LOOK: Record<SampleCart['state'], { color: 'success' | 'error'; icon: LucideIcon }> = {
  as_expected: { color: 'success', icon: Check },
  differs: { color: 'error', icon: EqualNot },
  refused: { color: 'error', icon: Ban },
}

export function CartState({ state }: { state: SampleCart['state'] }) {
  const labels = useLabels('sampleCarts')
  const { color, icon: Icon } = LOOK[state]
  return (
    <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={labels.enum('state', state)} sx={{ pl: 0.5 }} />
  )
}
