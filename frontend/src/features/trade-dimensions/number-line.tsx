import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import { type KeyboardEvent, type PointerEvent, useCallback, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { visuallyHidden } from '~/kit/visually-hidden'
import { type Boundary, boundaries, extent, type Problem, type Range } from './ladder'
import { useLengthText } from './use-length-text'
import { useRangeText } from './use-range-text'

interface Props {
  ranges: readonly Range[]
  problems: readonly Problem[]
  /** A length that is marked. */
  tested: number | null
  /** Absent where boundaries stay. */
  onMove: ((boundary: Boundary, value: number) => void) | null
}

const STEP = 100
const PAGE = 1000
const EDGE = 20
const TOP = 26
const BAR = 46
const ROW = 17

const color = (name: string) => `var(--mui-palette-${name})`
const COLOR = {
  ink: color('text-primary'),
  soft: color('text-secondary'),
  primary: color('primary-main'),
  accent: color('accent-main'),
  error: color('error-main'),
}

interface Scale {
  from: number
  to: number
}

/** The ladder as a line of lengths: what belongs where, what is missing, what is told twice. */
export function NumberLine({ ranges, problems, tested, onMove }: Props) {
  const { t } = useTranslation('tradeDimensions')
  const [width, measure] = useWidth()
  const pattern = `hatch${useId().replace(/\W/g, '')}`
  // the picture stands still while something in it is dragged
  const [held, setHeld] = useState<Scale | null>(null)
  const show = useLengthText()
  const rangeText = useRangeText()
  const scale = held ?? extent(ranges)
  if (scale.to <= scale.from) return <Empty ref={measure}>{t('line.empty')}</Empty>

  const x = (value: number) => EDGE + ((value - scale.from) / (scale.to - scale.from)) * (width - 2 * EDGE)
  const clamped = (value: number) => Math.min(Math.max(x(value), 0), width)
  const left = (range: Range) => (range.from === null ? EDGE : x(range.from))
  const right = (range: Range) => (range.to === null ? width - EDGE : x(range.to))
  const ends = [...new Set(ranges.flatMap(({ from, to }) => [from, to]).filter((end) => end !== null))].sort((a, b) => a - b)
  const labels = staggered(ends.map((value) => ({ x: x(value), text: show(value).replace(/\s?m$/, '') })))
  const bottom = TOP + BAR
  const height = bottom + 8 + ROW * (1 + Math.max(0, ...labels.map(({ row }) => row)))

  return (
    <Box ref={measure} role="group" aria-label={t('line.label')} sx={{ position: 'relative', mb: 1.5, userSelect: 'none' }}>
      <Box component="ul" sx={visuallyHidden}>
        {ranges.map((range) => (
          <li key={range.at}>{rangeText(range)}</li>
        ))}
      </Box>
      <svg width="100%" height={height} aria-hidden style={{ display: 'block', overflow: 'visible' }}>
        <defs>
          <pattern id={pattern} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1={0} y1={0} x2={0} y2={8} stroke={COLOR.error} strokeWidth={4} />
          </pattern>
        </defs>
        <line x1={0} x2={width} y1={bottom} y2={bottom} stroke={COLOR.soft} />
        {ranges.map((range, place) => (
          <Segment
            key={range.at}
            range={range}
            left={left(range)}
            right={right(range)}
            free={free(range)}
            shade={place % 2 ? 0.34 : 0.16}
            charged={range.charged === null ? null : show(range.charged)}
          />
        ))}
        {problems.map((problem) => {
          if (!('below' in problem)) return null
          const start = x(problem.from)
          const end = problem.to === Number.POSITIVE_INFINITY ? width - EDGE : x(problem.to)
          // a millimetre is seen as well
          const wide = Math.max(end - start, 8)
          const middle = (start + end) / 2
          return (
            <g key={`${problem.kind}-${problem.range.at}`} data-problem={problem.kind}>
              <rect
                x={middle - wide / 2}
                y={TOP}
                width={wide}
                height={BAR}
                fill={problem.kind === 'rangeOverlap' ? `url(#${pattern})` : 'none'}
                stroke={COLOR.error}
                strokeWidth={2}
                strokeDasharray={problem.kind === 'rangeGap' ? '4 3' : undefined}
              />
              <text x={middle} y={TOP - 8} textAnchor="middle" fill={COLOR.error} fontSize={12} fontWeight={600}>
                {t(`line.${problem.kind}`)}
              </text>
            </g>
          )
        })}
        {labels.map((label) => (
          <g key={label.text}>
            <line x1={label.x} x2={label.x} y1={TOP} y2={bottom + 5 + label.row * ROW} stroke={COLOR.soft} />
            <text x={label.x} y={bottom + 18 + label.row * ROW} textAnchor="middle" fill={COLOR.ink} fontSize={12}>
              {label.text}
            </text>
          </g>
        ))}
        {tested !== null && (
          <g data-tested>
            <line x1={clamped(tested)} x2={clamped(tested)} y1={TOP - 6} y2={bottom + 4} stroke={COLOR.accent} strokeWidth={2} />
            <path d={`M ${clamped(tested) - 6} ${TOP - 14} h 12 l -6 9 z`} fill={COLOR.accent} />
          </g>
        )}
      </svg>
      {onMove &&
        boundaries(ranges).map((boundary) => (
          <Handle
            key={`${boundary.below.at}-${boundary.above.at}`}
            boundary={boundary}
            x={x(boundary.value)}
            scale={scale}
            perPixel={(scale.to - scale.from) / Math.max(width - 2 * EDGE, 1)}
            onMove={(value) => onMove(boundary, value)}
            onHold={setHeld}
          />
        ))}
    </Box>
  )

  /** What of a range no other one covers: there it is written what it is. */
  function free(range: Range) {
    let [start, end] = [left(range), right(range)]
    for (const problem of problems) {
      if (problem.kind !== 'rangeOverlap') continue
      if (problem.range === range) start = Math.max(start, problem.to === Number.POSITIVE_INFINITY ? end : x(problem.to))
      if (problem.below === range) end = Math.min(end, x(problem.from))
    }
    return { start, end }
  }
}

interface SegmentProps {
  range: Range
  left: number
  right: number
  free: { start: number; end: number }
  shade: number
  charged: string | null
}

/** A range; an open end is an arrow. What has no room is not written, the rows below say it. */
function Segment({ range, left, right, free, shade, charged }: SegmentProps) {
  const middle = TOP + BAR / 2
  const start = range.from === null ? `M ${left} ${TOP} L ${left - 14} ${middle} L ${left} ${TOP + BAR}` : `M ${left} ${TOP} V ${TOP + BAR}`
  const end = range.to === null ? `H ${right} L ${right + 14} ${middle} L ${right} ${TOP}` : `H ${right} V ${TOP}`
  const room = free.end - free.start
  const center = (free.start + free.end) / 2
  const second = charged !== null && charged.length * 7 < room
  return (
    <g data-range={range.name}>
      <path d={`${start} ${end} Z`} fill={COLOR.primary} fillOpacity={shade} stroke={COLOR.primary} strokeWidth={1} />
      {range.name.length * 8 < room && (
        <text x={center} y={middle + (second ? -3 : 5)} textAnchor="middle" fill={COLOR.ink} fontSize={13} fontWeight={600}>
          {range.name}
        </text>
      )}
      {second && (
        <text x={center} y={middle + 14} textAnchor="middle" fill={COLOR.soft} fontSize={12}>
          {charged}
        </text>
      )}
    </g>
  )
}

interface HandleProps {
  boundary: Boundary
  x: number
  scale: Scale
  /** Millimetres. */
  perPixel: number
  onMove: (value: number) => void
  onHold: (scale: Scale | null) => void
}

/** Moves a boundary, and with it the end of one range and the beginning of the next. */
function Handle({ boundary, x, scale, perPixel, onMove, onHold }: HandleProps) {
  const { t } = useTranslation('tradeDimensions')
  const show = useLengthText()
  const grip = useRef<{ x: number; value: number } | null>(null)
  const { value, below, above } = boundary
  const floor = below.from ?? 0
  const lowest = floor + Math.min(STEP, value - floor)
  const ceiling = above.to ?? Math.max(scale.to, value + PAGE)
  const highest = ceiling - Math.min(STEP, ceiling - value)

  const move = (wanted: number) => {
    const next = Math.min(Math.max(wanted, lowest), highest)
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
    const wanted = moves[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    move(wanted)
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    event.currentTarget.focus()
    grip.current = { x: event.clientX, value }
    onHold(scale)
  }

  function onPointerMove(event: PointerEvent) {
    if (!grip.current) return
    const moved = (event.clientX - grip.current.x) * perPixel
    move(grip.current.value + Math.round(moved / STEP) * STEP)
  }

  function onPointerEnd() {
    grip.current = null
    onHold(null)
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
      style={{ left: x - 12 }}
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
  top: TOP - 4,
  width: 24,
  height: BAR + 8,
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

const Empty = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  marginBottom: theme.spacing(1.5),
  padding: theme.spacing(2),
  textAlign: 'center',
  color: theme.vars?.palette.text.secondary,
  border: `1px dashed ${theme.vars?.palette.divider}`,
  borderRadius: 8,
}))

/** Labels that would touch stand in the next row. */
function staggered<L extends { x: number; text: string }>(labels: readonly L[]): (L & { row: number })[] {
  const used: number[] = []
  return labels.map((label) => {
    const half = (label.text.length * 7) / 2 + 3
    const free = used.findIndex((right) => right <= label.x - half)
    const row = free < 0 ? used.length : free
    used[row] = label.x + half
    return { ...label, row }
  })
}

/** How wide an element is drawn; a guess where nothing is drawn. */
function useWidth() {
  const [width, setWidth] = useState(640)
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [width, measure] as const
}
