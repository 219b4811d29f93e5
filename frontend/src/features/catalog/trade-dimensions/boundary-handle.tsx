import { styled } from '@mui/material/styles'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Scale } from '~/kit/plot/scale'
import type { Boundary } from './length-ranges'
import { useLengthText } from './use-length-text'

const STEP = 100
const PAGE = 1000

interface Props {
  boundary: Boundary
  x: number
  /** Upper edge of the bar that contains the handle. */
  top: number
  height: number
  scale: Scale
  /** Millimetres of length per pixel. */
  perPixel: number
  onMove: (value: number) => void
  onDrag: (scale: Scale | null) => void
}

/** Handle that moves a boundary: the end of one range and the start of the next. */
export function BoundaryHandle({ boundary, x, top, height, scale, perPixel, onMove, onDrag }: Props) {
  const { t } = useTranslation('tradeDimensions')
  const show = useLengthText()
  const dragStart = useRef<{ x: number; value: number } | null>(null)
  const { value, below, above } = boundary
  const floor = below.from ?? 0
  const lowest = floor + Math.min(STEP, value - floor)
  const ceiling = above.to ?? Math.max(scale.to, value + PAGE)
  const highest = ceiling - Math.min(STEP, ceiling - value)

  const move = (target: number) => {
    const next = Math.min(Math.max(target, lowest), highest)
    if (next !== value) onMove(next)
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = event.shiftKey ? PAGE : STEP
    const moves: Record<string, number> = {
      ArrowLeft: value - step,
      ArrowDown: value - step,
      ArrowRight: value + step,
      ArrowUp: value + step,
      PageDown: value - PAGE,
      PageUp: value + PAGE,
      Home: lowest,
      End: highest,
    }
    const target = moves[event.key]
    if (target === undefined) return
    event.preventDefault()
    move(target)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    dragStart.current = { x: event.clientX, value }
    onDrag(scale)
  }

  function onPointerMove(event: PointerEvent) {
    if (!dragStart.current) return
    const moved = (event.clientX - dragStart.current.x) * perPixel
    move(dragStart.current.value + Math.round(moved / STEP) * STEP)
  }

  function onPointerEnd() {
    dragStart.current = null
    onDrag(null)
  }

  return (
    <Grip
      role="slider"
      tabIndex={0}
      aria-label={t('line.boundary', { below: below.name, above: above.name })}
      aria-orientation="horizontal"
      aria-valuemin={lowest / 1000}
      aria-valuemax={highest / 1000}
      aria-valuenow={value / 1000}
      aria-valuetext={show(value)}
      style={{ left: x - 12, top: top - 4, height: height + 8 }}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
    />
  )
}

const Grip = styled('div')(({ theme }) => ({
  position: 'absolute',
  width: 24,
  borderRadius: 6,
  cursor: 'ew-resize',
  touchAction: 'none',
  '&::before': {
    content: '""',
    position: 'absolute',
    left: 9,
    top: '50%',
    width: 6,
    height: 22,
    marginTop: -11,
    borderRadius: 3,
    border: `1px solid ${theme.vars?.palette.background.paper}`,
    backgroundColor: theme.vars?.palette.primary.main,
  },
  '&:hover::before, &:focus-visible::before': { width: 8, left: 8 },
}))
