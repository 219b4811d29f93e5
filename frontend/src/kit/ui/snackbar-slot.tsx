import { styled } from '@mui/material/styles'
import { useEffect, useRef } from 'react'
import { offerSlot } from './snackbar'

/** Container that does not shrink within a flex column. */
const Slot = styled('div')({ flexShrink: 0, '&:empty': { display: 'none' } })

/**
 * Place in a drawer or dialog where snackbars are shown: in the flow, so that they cover no button and are
 * reachable by keyboard.
 */
export function SnackbarSlot({ open = true }: { open?: boolean }) {
  const slot = useRef<HTMLDivElement>(null)
  // a closing drawer takes no more messages
  useEffect(() => (open && slot.current ? offerSlot(slot.current) : undefined), [open])
  return <Slot ref={slot} />
}
