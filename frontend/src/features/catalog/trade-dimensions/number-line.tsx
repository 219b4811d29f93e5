import Box from '@mui/material/Box'
import { styled } from '@mui/material/styles'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { chartColors, HALO } from '~/kit/plot/chart-colors'
import { Axis, Hatch, LABEL_ROW } from '~/kit/plot/marks'
import { centred, countLabelRows, EDGE, perPixel, type Scale, scaleX, staggerLabels, truncate } from '~/kit/plot/scale'
import { useWidth } from '~/kit/plot/use-width'
import { visuallyHidden } from '~/kit/ui/visually-hidden'
import { BoundaryHandle } from './boundary-handle'
import { assignLanes, type Boundary, boundaries, extent, type LengthRange, type Problem } from './length-ranges'
import { useLengthText } from './use-length-text'
import { useRangeText } from './use-range-text'

interface Props {
  ranges: readonly LengthRange[]
  problems: readonly Problem[]
  /** Length that is marked, or `null`. */
  tested: number | null
  /** Handler for moved boundaries; `null` if they are fixed. */
  onMove: ((boundary: Boundary, value: number) => void) | null
}

/** Height of a range; overlapping ones share it while each has room for its name. */
const BAR = 46
const LANE = 23
/** Height of the mark at the tested length. */
const MARK = 18

/** Ladder drawn as a line of lengths, with its ranges, gaps and overlaps. */
export function NumberLine({ ranges, problems, tested, onMove }: Props) {
  const { t } = useTranslation('tradeDimensions')
  const [width, measure] = useWidth()
  const pattern = `hatch${useId().replace(/\W/g, '')}`
  // the scale is fixed while a boundary is dragged
  const [dragScale, setDragScale] = useState<Scale | null>(null)
  const show = useLengthText()
  const rangeText = useRangeText()
  const scale = dragScale ?? extent(ranges)
  if (scale.to <= scale.from) return <Empty ref={measure}>{t('line.empty')}</Empty>

  const x = scaleX(scale, width)
  const clamped = (value: number) => Math.min(Math.max(x(value), 0), width)
  const left = (range: LengthRange) => (range.from === null ? EDGE : x(range.from))
  const right = (range: LengthRange) => (range.to === null ? width - EDGE : x(range.to))
  const lanes = assignLanes(ranges)
  const bar = Math.max(BAR, ...lanes.map(({ laneCount }) => laneCount * LANE))
  const ends = [...new Set(ranges.flatMap(({ from, to }) => [from, to]).filter((end) => end !== null))].sort((a, b) => a - b)
  const labels = staggerLabels(ends.map((value) => ({ x: x(value), text: show(value).replace(/\s?m$/, '') })))
  const marks = staggerLabels(
    problems
      .flatMap((problem) => {
        if (!('below' in problem)) return []
        const [start, end] = [x(problem.from), problem.to === Number.POSITIVE_INFINITY ? width - EDGE : x(problem.to)]
        const text = t(`line.${problem.kind}`)
        const middle = (start + end) / 2
        return { problem, start, end, middle, text, x: centred(middle, text, width) }
      })
      .sort((a, b) => a.x - b.x),
  )
  const top = MARK + LABEL_ROW * countLabelRows(marks)
  const bottom = top + bar
  const height = bottom + 8 + LABEL_ROW * countLabelRows(labels)

  return (
    <Box ref={measure} role="group" aria-label={t('line.label')} sx={{ position: 'relative', mb: 1.5, userSelect: 'none' }}>
      <Box component="ul" sx={visuallyHidden}>
        {ranges.map((range) => (
          <li key={range.at}>{rangeText(range)}</li>
        ))}
      </Box>
      <svg width="100%" height={height} aria-hidden style={{ display: 'block', overflow: 'visible' }}>
        <defs>
          <Hatch id={pattern} color={chartColors.error} size={8} stripe={2} opacity={0.55} />
        </defs>
        <line x1={0} x2={width} y1={bottom} y2={bottom} stroke={chartColors.muted} />
        {lanes.map(({ range, lane, laneCount }, place) => (
          <Segment
            key={range.at}
            range={range}
            left={left(range)}
            right={right(range)}
            top={top + (lane * bar) / laneCount}
            height={bar / laneCount}
            shade={place % 2 ? 0.34 : 0.16}
          />
        ))}
        {marks.map(({ problem, start, end, middle, text, row, ...mark }) => {
          // keeps a gap of a millimetre visible
          const wide = Math.max(end - start, 8)
          const line = top - MARK - row * LABEL_ROW
          return (
            <g key={`${problem.kind}-${problem.range.at}`} data-problem={problem.kind}>
              <rect
                x={middle - wide / 2}
                y={top}
                width={wide}
                height={bar}
                fill={problem.kind === 'rangeOverlap' ? `url(#${pattern})` : 'none'}
                stroke={chartColors.error}
                strokeWidth={2}
                strokeDasharray={problem.kind === 'rangeGap' ? '4 3' : undefined}
              />
              {row > 0 && <line x1={middle} x2={middle} y1={line + 4} y2={top} stroke={chartColors.error} />}
              <text x={mark.x} y={line} textAnchor="middle" fill={chartColors.error} fontSize={12} fontWeight={600} style={HALO}>
                {text}
              </text>
            </g>
          )
        })}
        {lanes.map(({ range, lane, laneCount }) => (
          <Caption
            key={range.at}
            range={range}
            x={(left(range) + right(range)) / 2}
            middle={top + ((lane + 0.5) * bar) / laneCount}
            maxWidth={right(range) - left(range)}
            lines={bar / laneCount < BAR ? 1 : 2}
          />
        ))}
        <Axis labels={labels} top={top} bottom={bottom} />
        {tested !== null && (
          <g data-tested>
            <line x1={clamped(tested)} x2={clamped(tested)} y1={top - 6} y2={bottom + 4} stroke={chartColors.accent} strokeWidth={2} />
            <path d={`M ${clamped(tested) - 6} ${top - 14} h 12 l -6 9 z`} fill={chartColors.accent} />
          </g>
        )}
      </svg>
      {onMove &&
        boundaries(ranges).map((boundary) => (
          <BoundaryHandle
            key={`${boundary.below.at}-${boundary.above.at}`}
            boundary={boundary}
            x={x(boundary.value)}
            top={top}
            height={bar}
            scale={scale}
            perPixel={perPixel(scale, width)}
            onMove={(value) => onMove(boundary, value)}
            onDrag={setDragScale}
          />
        ))}
    </Box>
  )
}

interface SegmentProps {
  range: LengthRange
  left: number
  right: number
  top: number
  height: number
  shade: number
}

/** Bar of a range; an open end is drawn as an arrow. */
function Segment({ range, left, right, top, height, shade }: SegmentProps) {
  const [middle, bottom] = [top + height / 2, top + height]
  const start = range.from === null ? `M ${left} ${top} L ${left - 14} ${middle} L ${left} ${bottom}` : `M ${left} ${top} V ${bottom}`
  const end = range.to === null ? `H ${right} L ${right + 14} ${middle} L ${right} ${top}` : `H ${right} V ${top}`
  return (
    <path d={`${start} ${end} Z`} fill={chartColors.primary} fillOpacity={shade} stroke={chartColors.primary} data-range={range.name} />
  )
}

interface CaptionProps {
  range: LengthRange
  x: number
  middle: number
  maxWidth: number
  lines: 1 | 2
}

/**
 * Name and charged length of a range. Texts without room are shortened or left out; the rows below show
 * them.
 */
function Caption({ range, x, middle, maxWidth, lines }: CaptionProps) {
  const show = useLengthText()
  const name = truncate(range.name, maxWidth)
  const charged = range.charged === null ? '' : show(range.charged)
  const textWidth = lines === 1 ? (name.length + charged.length) * 8 + 8 : charged.length * 7
  const hasRoomForBoth = charged !== '' && name === range.name && textWidth < maxWidth
  return (
    <text textAnchor="middle" fill={chartColors.ink} fontSize={13} fontWeight={600} style={lines === 1 ? HALO : {}}>
      <tspan x={x} y={middle + (hasRoomForBoth && lines === 2 ? -3 : 5)}>
        {name}
      </tspan>
      {hasRoomForBoth && (
        <tspan {...(lines === 2 ? { x, y: middle + 14 } : { dx: 8 })} fill={chartColors.muted} fontSize={12} fontWeight={400}>
          {charged}
        </tspan>
      )}
    </text>
  )
}

const Empty = styled('div')(({ theme }) => ({
  ...theme.typography.body2,
  marginBottom: theme.spacing(1.5),
  padding: theme.spacing(2),
  textAlign: 'center',
  color: theme.vars?.palette.text.secondary,
  border: `1px dashed ${theme.vars?.palette.divider}`,
  borderRadius: 8,
}))
