import Chip, { type ChipProps } from '@mui/material/Chip'
import type { LucideIcon } from 'lucide-react'

/** Look of a state: colour by meaning, and an icon, never colour alone. */
export interface StateLook {
  color: NonNullable<ChipProps['color']>
  icon: LucideIcon
}

/** State of a record, as a chip. */
export function StateChip({ look: { color, icon: Icon }, label }: { look: StateLook; label: string }) {
  return <Chip size="small" variant="outlined" color={color} icon={<Icon size={14} />} label={label} sx={{ pl: 0.5 }} />
}
