import Box from '@mui/material/Box'
import { useTranslation } from 'react-i18next'
import type { PriceListTimeline } from '~/api/schema'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useFormat } from '~/i18n/use-format'
import { HALO, INK } from '~/kit/plot/ink'
import { along, clipped, EDGE, halfOf, rowsOf, staggered } from '~/kit/plot/scale'
import { useWidth } from '~/kit/plot/use-width'
import { kindOf, type SegmentKind, scaleOf, spanOf } from './timeline-scale'

const ROW = 38
const BAR = 14
const AXIS = 18
/** Above the bar stands what it is. */
const TEXT = 13

const FILL: Record<SegmentKind, object> = {
  clear: { fill: INK.primary },
  // hatched, so that it is told without its colour
  overlap: { fill: 'url(#overlap)', stroke: INK.primary },
  gap: { fill: 'none', stroke: INK.error, strokeDasharray: '4 3' },
}

/** The lists one below the other, and what they mean together; the table says the same. */
export function TimelineDrawing({ lists, segments, now }: PriceListTimeline & { now: number }) {
  const { t } = useTranslation('priceLists')
  const { date } = useFormat()
  const money = useMoneyText()
  const [width, measure] = useWidth()
  const scale = scaleOf(lists, now)
  const x = along(scale, width)
  const wide = (from: string, until: string | null) => {
    const { start, stop } = spanOf(from, until, scale)
    return { x: x(start), width: Math.max(x(stop) - x(start), 2) }
  }
  const counting = new Set(segments.map(({ counts }) => counts))
  const top = AXIS + 4
  const together = top + lists.length * ROW
  const days = staggered([...new Set(segments.map(({ from }) => from))].map((from) => ({ from, x: x(Date.parse(from)), text: date(from) })))
  const axis = together + ROW
  const height = axis + rowsOf(days) * AXIS + 4
  const present = { x: x(now), text: t('timeline.now') }
  /** A text that begins at a bar; where there is no room for it, it ends with the drawing. */
  const label = (text: string, at: number): Label => {
    const children = clipped(text, width - 8)
    return at + 2 * halfOf(children) > width ? { x: width - EDGE, textAnchor: 'end', children } : { x: at, children }
  }
  const textOf = ({ name, price }: PriceListTimeline['lists'][number]) => [name, price && money(price)].filter(Boolean).join(' · ')
  const bars = lists.map((list, nth) => ({ list, y: top + nth * ROW, ...wide(list.valid_from, list.valid_until) }))
  return (
    <Box ref={measure} sx={{ mb: 2 }}>
      <svg width="100%" height={height} aria-hidden style={{ display: 'block' }}>
        <defs>
          <pattern id="overlap" width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width={3} height={6} fill={INK.primary} />
          </pattern>
        </defs>
        {days.map(({ from, x: at }) => (
          <line key={from} x1={at} x2={at} y1={top} y2={axis} stroke={INK.soft} strokeOpacity={0.35} />
        ))}
        {bars.map(({ list, y, x: from, width: to }) => (
          <rect
            key={list.id}
            y={y + TEXT + 5}
            x={from}
            width={to}
            height={BAR}
            rx={3}
            fill={INK.primary}
            fillOpacity={counting.has(list.id) ? 0.45 : 0.15}
            stroke={INK.primary}
          />
        ))}
        {segments.map((segment) => (
          <rect
            key={segment.from}
            y={together + TEXT + 5}
            height={BAR}
            {...wide(segment.from, segment.until)}
            {...FILL[kindOf(segment)]}
            data-kind={kindOf(segment)}
          />
        ))}
        {/* below all that is to be read */}
        <line x1={present.x} x2={present.x} y1={AXIS - 2} y2={axis} stroke={INK.accent} strokeWidth={2} data-now />
        {bars.map(({ list, y, x: from }) => (
          <text key={list.id} y={y + TEXT} fontSize={12} fill={INK.ink} {...label(textOf(list), from)} {...HALO} />
        ))}
        <text
          y={together + TEXT}
          fontSize={12}
          fontWeight={600}
          fill={INK.ink}
          {...label(t('timeline.together'), x(scale.from))}
          {...HALO}
        />
        {days.map(({ from, x: at, row, text }) => (
          <text
            key={from}
            x={Math.min(Math.max(at, halfOf(text)), width - halfOf(text))}
            y={axis + AXIS * (row + 1) - 4}
            textAnchor="middle"
            fontSize={12}
            fill={INK.ink}
          >
            {text}
          </text>
        ))}
        <text
          x={Math.min(Math.max(present.x, halfOf(present.text)), width - halfOf(present.text))}
          y={TEXT}
          textAnchor="middle"
          fontSize={12}
          fontWeight={600}
          fill={INK.ink}
        >
          {present.text}
        </text>
      </svg>
    </Box>
  )
}

interface Label {
  x: number
  textAnchor?: 'end'
  children: string
}
