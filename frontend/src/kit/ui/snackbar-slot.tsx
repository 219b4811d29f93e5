import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { offerSlot } from './snackbar'

/** In a column whose other parts give way. */
const Slot = styled('div')({ flexShrink: 0, '&:empty': { display: 'none' } })

/** Where a drawer or dialog shows snackbars: in the flow, so that they lie on none of its buttons, and for the keyboard within reach. */
export function SnackbarSlot({ open = true }: { open?: boolean }) {
  const slot = useRef<HTMLDivElement>(null)
  // one that is closing takes no more
  useEffect(() => (open && slot.current ? offerSlot(slot.current) : undefined), [open])
  return <Slot ref={slot} />
}
