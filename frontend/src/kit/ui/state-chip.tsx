import Chip, { type ChipProps } from '@mui/material/Chip'
import type { LucideIcon } from 'lucide-react'

/** The look of a state: colour by meaning, and never colour alone. */
export interface StateLook {
  color: NonNullable<ChipProps['color']>
  icon: LucideIcon
}

/** The state of a record, as a small mark. */
export function StateChip({ look: { color, icon: Icon }, label }: { look: StateLook; label: string }) {
  return <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={label} sx={{ pl: 0.5 }} />
}
