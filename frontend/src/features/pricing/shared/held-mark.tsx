import Box from '@mui/material/Box'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { visuallyHidden } from '~/kit/ui/visually-hidden'

/** Marks a price for which another one is under review. */
export function HeldMark({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <Box component={TriangleAlert} size={14} aria-hidden sx={{ color: 'warning.main', verticalAlign: '-2px', mr: 0.5 }} />
      <span style={visuallyHidden}>{label} </span>
      {children}
    </>
  )
}
