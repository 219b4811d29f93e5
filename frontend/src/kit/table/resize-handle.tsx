import { styled } from '@mui/material/styles'
import { type PointerEvent, useRef } from 'react'

const Handle = styled('span')(({ theme }) => ({
  position: 'absolute',
  insetBlock: 6,
  // inside the head, because the next sticky head would cover an overlap
  insetInlineEnd: 0,
  width: 11,
  cursor: 'col-resize',
  touchAction: 'none',
  borderInlineStart: '9px solid transparent',
  backgroundClip: 'padding-box',
  '&:hover, &[data-held]': { backgroundColor: (theme.vars ?? theme).palette.primary.main },
}))

interface Props {
  onResize: (width: number | null) => void
}

/**
 * Handle at the end of a column's head: dragging sets the width, a double click resets it. Keyboard users do
 * the same in the column menu.
 */
export function ResizeHandle({ onResize }: Props) {
  const from = useRef<{ x: number; width: number; sign: number } | null>(null)

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const head = event.currentTarget.parentElement as HTMLElement
    event.preventDefault()
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.dataset.held = ''
    const sign = getComputedStyle(head).direction === 'rtl' ? -1 : 1
    from.current = { x: event.clientX, width: head.offsetWidth, sign }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (from.current) event.currentTarget.style.transform = `translateX(${event.clientX - from.current.x}px)`
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const start = from.current
    from.current = null
    event.currentTarget.style.transform = ''
    delete event.currentTarget.dataset.held
    const moved = start ? (event.clientX - start.x) * start.sign : 0
    if (start && event.type === 'pointerup' && Math.abs(moved) > 2) onResize(start.width + moved)
  }

  return (
    <Handle
      aria-hidden
      data-resize
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => onResize(null)}
    />
  )
}
