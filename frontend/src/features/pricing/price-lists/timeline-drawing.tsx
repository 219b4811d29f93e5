import Box from '@mui/material/Box'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceListTimeline } from '~/api/schema'
import { useMoneyText } from '~/features/shared/money/use-money-text'
import { useFormat } from '~/i18n/use-format'
import { chartColors, HALO } from '~/kit/plot/chart-colors'
import { Hatch, NowLine } from '~/kit/plot/marks'
import { centred, countLabelRows, EDGE, halfOf, scaleX, staggerLabels, truncate } from '~/kit/plot/scale'
import { useWidth } from '~/kit/plot/use-width'
import { type SegmentKind, scaleOf, segmentKind, spanOf } from './timeline-scale'

const ROW = 38
const BAR = 14
const AXIS = 18
/** Height of the label above a bar. */
const TEXT = 13

const fillsOf = (hatch: string): Record<SegmentKind, object> => ({
  clear: { fill: chartColors.primary },
  // hatched, so that it can be recognised without its colour
  overlap: { fill: `url(#${hatch})`, stroke: chartColors.primary },
  gap: { fill: 'none', stroke: chartColors.error, strokeDasharray: '4 3' },
})

/** Timeline of the lists, one below the other, with the resulting periods; the table shows the same. */
export function TimelineDrawing({ lists, segments, now }: PriceListTimeline & { now: number }) {
  const { t } = useTranslation('priceLists')
  const { date } = useFormat()
  const money = useMoneyText()
  const [width, measure] = useWidth()
  const hatch = useId()
  const fills = fillsOf(hatch)
  const scale = scaleOf(lists, now)
  const x = scaleX(scale, width)
  const barPosition = (from: string, until: string | null) => {
    const { start, stop } = spanOf(from, until, scale)
    return { x: x(start), width: Math.max(x(stop) - x(start), 2) }
  }
  const effectiveIds = new Set(segments.map(({ counts }) => counts))
  const top = AXIS + 4
  const resultTop = top + lists.length * ROW
  const days = staggerLabels(
    [...new Set(segments.map(({ from }) => from))].map((from) => ({ from, x: x(Date.parse(from)), text: date(from) })),
  )
  const axis = resultTop + ROW
  const height = axis + countLabelRows(days) * AXIS + 4
  const nowLabel = { x: x(now), text: t('timeline.now') }
  /** Label that starts at its bar, or ends at the edge of the drawing if there is no room. */
  const label = (text: string, at: number): Label => {
    const children = truncate(text, width - 8)
    return at + 2 * halfOf(children) > width ? { x: width - EDGE, textAnchor: 'end', children } : { x: at, children }
  }
  const textOf = ({ name, price }: PriceListTimeline['lists'][number]) => [name, price && money(price)].filter(Boolean).join(' · ')
  const bars = lists.map((list, nth) => ({ list, y: top + nth * ROW, ...barPosition(list.valid_from, list.valid_until) }))
  return (
    <Box ref={measure} sx={{ mb: 2 }}>
      <svg width="100%" height={height} aria-hidden style={{ display: 'block' }}>
        <defs>
          <Hatch id={hatch} color={chartColors.primary} />
        </defs>
        {days.map(({ from, x: at }) => (
          <line key={from} x1={at} x2={at} y1={top} y2={axis} stroke={chartColors.muted} strokeOpacity={0.35} />
        ))}
        {bars.map(({ list, y, x: from, width: to }) => (
          <rect
            key={list.id}
            y={y + TEXT + 5}
            x={from}
            width={to}
            height={BAR}
            rx={3}
            fill={chartColors.primary}
            fillOpacity={effectiveIds.has(list.id) ? 0.45 : 0.15}
            stroke={chartColors.primary}
          />
        ))}
        {segments.map((segment) => (
          <rect
            key={segment.from}
            y={resultTop + TEXT + 5}
            height={BAR}
            {...barPosition(segment.from, segment.until)}
            {...fills[segmentKind(segment)]}
            data-kind={segmentKind(segment)}
          />
        ))}
        {/* drawn first, so that it stays below the labels */}
        <NowLine x={nowLabel.x} top={AXIS - 2} bottom={axis} />
        {bars.map(({ list, y, x: from }) => (
          <text key={list.id} y={y + TEXT} fontSize={12} fill={chartColors.ink} {...label(textOf(list), from)} {...HALO} />
        ))}
        <text
          y={resultTop + TEXT}
          fontSize={12}
          fontWeight={600}
          fill={chartColors.ink}
          {...label(t('timeline.together'), x(scale.from))}
          {...HALO}
        />
        {days.map(({ from, x: at, row, text }) => (
          <text
            key={from}
            x={centred(at, text, width)}
            y={axis + AXIS * (row + 1) - 4}
            textAnchor="middle"
            fontSize={12}
            fill={chartColors.ink}
          >
            {text}
          </text>
        ))}
        <text
          x={centred(nowLabel.x, nowLabel.text, width)}
          y={TEXT}
          textAnchor="middle"
          fontSize={12}
          fontWeight={600}
          fill={chartColors.ink}
        >
          {nowLabel.text}
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
