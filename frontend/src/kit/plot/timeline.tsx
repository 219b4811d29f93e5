import Box from '@mui/material/Box'
import { useId } from 'react'
import { useFormat } from '~/i18n/use-format'
import { midnightsIn } from '~/lib/zone'
import { nightsIn, type TimeSpan } from './bands'
import { chartColors, HALO } from './chart-colors'
import { Hatch } from './marks'
import { truncate } from './scale'
import { type Tone, toneFill } from './tones'
import { useWidth } from './use-width'

/** Bar in a lane. */
export interface TimelineBar extends TimeSpan {
  lane: number
  tone: Tone
}

/** Hatched span of a lane in which nothing moves. */
export interface Band extends TimeSpan {
  lane: number
}

/** Moment with a name, drawn across all lanes. */
export interface TimelineMoment {
  at: number
  text: string
  isNow?: boolean
}

interface Props extends TimeSpan {
  lanes: readonly string[]
  bars: readonly TimelineBar[]
  bands: readonly Band[]
  moments: readonly TimelineMoment[]
  /** Time zone of the days and nights. */
  zone: string
}

/** Width below which time runs downwards. */
const NARROW = 520
const LANE = 34
const BAR = 18
/** Width in pixels for the lanes' names in a wide drawing, and for the days in a narrow one. */
const NAMES = 176
const DAYS = 84
const HEAD = 22
const FOOT = 22
/** Height of a day in pixels in a narrow drawing, within bounds. */
const DAY_HEIGHT = 72
const HEIGHT = { least: 260, most: 900 }
/** Pixels that a day's label needs. */
const DAY_NAME = { across: 92, down: 18 }
/** Minimum size of a night in pixels; shorter ones are not drawn. */
const NIGHT_MIN = 2

/**
 * Bars in lanes over days and nights: from left to right, on a phone from top to bottom. It is only a
 * drawing; the page has to say the same in words beside it.
 */
export function Timeline(props: Props) {
  const [width, measure] = useWidth()
  return (
    <Box ref={measure} sx={{ mb: 2 }}>
      {props.to > props.from &&
        (width < NARROW ? <VerticalTimeline {...props} width={width} /> : <HorizontalTimeline {...props} width={width} />)}
    </Box>
  )
}

const scaleOf =
  ({ from, to }: TimeSpan, begin: number, size: number) =>
  (at: number) =>
    begin + ((Math.min(Math.max(at, from), to) - from) / (to - from)) * size

/** Midnights of the span, with labels for as many as fit. */
function useDays(zone: string, span: TimeSpan, pixels: number, labelWidth: number) {
  const { weekdayDate } = useFormat()
  const midnights = midnightsIn(zone, span.from, span.to)
  const perDay = (86_400_000 * pixels) / (span.to - span.from)
  const interval = Math.max(1, Math.ceil(labelWidth / perDay))
  // a first day that has already begun gets a label if it fits before the next one
  const [next = span.to] = midnights
  const first = (next - span.from) / 86_400_000 >= labelWidth / perDay ? [span.from] : []
  const text = (at: number) => shortDay(weekdayDate(new Date(at).toISOString(), zone))
  return [
    ...first.map((at) => ({ at, text: text(at) })),
    ...midnights.map((at, nth) => ({ at, text: nth % interval === 0 ? text(at) : '' })),
  ]
}

/** Cuts the year off a formatted day. */
const shortDay = (day: string) => day.replace(/[-.]?\d{4}$/, (year) => (year.startsWith('.') ? '.' : ''))

function HorizontalTimeline({ lanes, bars, bands, moments, zone, width, ...span }: Props & { width: number }) {
  const hatch = useId()
  const size = Math.max(width - NAMES - 12, 1)
  const x = scaleOf(span, NAMES, size)
  const bottom = HEAD + lanes.length * LANE
  const days = useDays(zone, span, size, DAY_NAME.across)
  const top = (lane: number) => HEAD + lane * LANE
  return (
    <svg width="100%" height={bottom + FOOT} aria-hidden style={{ display: 'block' }}>
      <defs>
        <Hatch id={hatch} color={chartColors.muted} size={7} stripe={1.5} opacity={0.8} />
      </defs>
      {nightsIn(zone, span).map(({ from, to }) =>
        x(to) - x(from) < NIGHT_MIN ? null : (
          <rect key={from} data-band="night" x={x(from)} y={HEAD} width={x(to) - x(from)} height={bottom - HEAD} {...NIGHT_FILL} />
        ),
      )}
      {bands.map(({ from, to, lane }) => (
        <rect
          key={`${lane} ${from}`}
          data-band="closed"
          x={x(from)}
          y={top(lane) + 1}
          width={Math.max(x(to) - x(from), 1)}
          height={LANE - 2}
          fill={`url(#${hatch})`}
        />
      ))}
      {days.map(({ at, text }) => (
        <g key={at}>
          <line x1={x(at)} x2={x(at)} y1={HEAD - 8} y2={bottom} stroke={chartColors.muted} strokeOpacity={text ? 0.6 : 0.3} />
          <text x={x(at) + 4} y={HEAD - 8} fontSize={12} fill={chartColors.ink}>
            {x(at) + DAY_NAME.across - 20 < width ? text : ''}
          </text>
        </g>
      ))}
      {lanes.map((name, lane) => (
        <g key={name}>
          <line x1={0} x2={width} y1={top(lane + 1)} y2={top(lane + 1)} stroke={chartColors.muted} strokeOpacity={0.25} />
          <text x={0} y={top(lane) + LANE / 2 + 4} fontSize={12} fontWeight={600} fill={chartColors.ink}>
            {truncate(name, NAMES + 24)}
          </text>
        </g>
      ))}
      {bars.map(({ from, to, lane, tone }) => (
        // a bar of minutes stays visible beside days
        <rect
          key={from}
          data-tone={tone}
          x={x(from)}
          y={top(lane) + (LANE - BAR) / 2}
          width={Math.max(x(to) - x(from), 3)}
          height={BAR}
          {...toneFill[tone]}
          {...OUTLINE}
        />
      ))}
      {moments.map(({ at, text, isNow }, nth) => {
        const isLate = x(at) > width - 110
        return (
          <g key={text}>
            <line x1={x(at)} x2={x(at)} y1={HEAD - 4} y2={bottom + 4} {...lineOf(isNow)} />
            <text
              x={x(at) + (isLate ? -4 : 4)}
              y={bottom + 16}
              textAnchor={isLate ? 'end' : 'start'}
              fontSize={12}
              fontWeight={600}
              fill={chartColors.ink}
              {...HALO}
            >
              {isCovered(moments, nth, x) ? '' : text}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** True if the label of an earlier moment covers this one's place. */
const isCovered = (moments: readonly TimelineMoment[], nth: number, x: (at: number) => number) =>
  moments.slice(0, nth).some(({ at, text }) => Math.abs(x(at) - x(moments[nth]?.at ?? 0)) < text.length * 7 + 10)

function VerticalTimeline({ lanes, bars, bands, moments, zone, width, ...span }: Props & { width: number }) {
  const hatch = useId()
  const days = (span.to - span.from) / 86_400_000
  const size = Math.min(Math.max(days * DAY_HEIGHT, HEIGHT.least), HEIGHT.most)
  const y = scaleOf(span, HEAD, size)
  const bottom = HEAD + size
  const lane = (width - DAYS) / lanes.length
  const laneX = (at: number) => DAYS + at * lane
  const thickness = Math.min(BAR, lane - 6)
  return (
    <svg width="100%" height={bottom + 6} aria-hidden style={{ display: 'block' }}>
      <defs>
        <Hatch id={hatch} color={chartColors.muted} size={7} stripe={1.5} opacity={0.8} />
      </defs>
      {nightsIn(zone, span).map(({ from, to }) =>
        y(to) - y(from) < NIGHT_MIN ? null : (
          <rect key={from} data-band="night" x={DAYS} y={y(from)} width={width - DAYS} height={y(to) - y(from)} {...NIGHT_FILL} />
        ),
      )}
      {bands.map(({ from, to, lane: at }) => (
        <rect
          key={`${at} ${from}`}
          data-band="closed"
          x={laneX(at) + 1}
          y={y(from)}
          width={lane - 2}
          height={Math.max(y(to) - y(from), 1)}
          fill={`url(#${hatch})`}
        />
      ))}
      {useDays(zone, span, size, DAY_NAME.down).map(({ at, text }) => (
        <g key={at}>
          <line x1={0} x2={width} y1={y(at)} y2={y(at)} stroke={chartColors.muted} strokeOpacity={text ? 0.6 : 0.3} />
          <text x={0} y={y(at) + 14} fontSize={12} fill={chartColors.ink}>
            {y(at) + 16 < bottom ? text : ''}
          </text>
        </g>
      ))}
      {lanes.map((name, at) => (
        <g key={name}>
          <line x1={laneX(at)} x2={laneX(at)} y1={HEAD} y2={bottom} stroke={chartColors.muted} strokeOpacity={0.25} />
          <text x={laneX(at) + lane / 2} y={HEAD - 8} textAnchor="middle" fontSize={12} fontWeight={600} fill={chartColors.ink}>
            {truncate(name, lane + 8)}
          </text>
        </g>
      ))}
      {bars.map(({ from, to, lane: at, tone }) => (
        <rect
          key={from}
          data-tone={tone}
          x={laneX(at) + (lane - thickness) / 2}
          y={y(from)}
          width={thickness}
          height={Math.max(y(to) - y(from), 3)}
          {...toneFill[tone]}
          {...OUTLINE}
        />
      ))}
      {moments.map(({ at, text, isNow }) => (
        <line key={text} x1={DAYS - 6} x2={width} y1={y(at)} y2={y(at)} {...lineOf(isNow)} />
      ))}
    </svg>
  )
}

const NIGHT_FILL = { fill: chartColors.muted, fillOpacity: 0.13 }
const OUTLINE = { stroke: chartColors.primary, strokeWidth: 1, strokeOpacity: 0.6 }

const lineOf = (isNow = false) =>
  isNow ? { stroke: chartColors.accent, strokeWidth: 2, 'data-now': true } : { stroke: chartColors.ink, strokeDasharray: '2 3' }
