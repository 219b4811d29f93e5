import Box from '@mui/material/Box'
import { useId } from 'react'
import { chartColors, HALO } from '~/kit/plot/chart-colors'
import { Hatch } from '~/kit/plot/marks'
import { truncate } from '~/kit/plot/scale'
import { useWidth } from '~/kit/plot/use-width'
import type { PriceBar } from './bars'

interface Props {
  bars: readonly PriceBar[]
  /** Label of a bar; `amount` is its amount with its sign. */
  label: (bar: PriceBar) => string
  amount: (bar: PriceBar) => string
  /** Seller's cost and its label. */
  cost: { at: string; text: string } | null
}

const BAR = 18
const AMOUNT = 112
/** Width in pixels below which the labels are above their bars. */
const NARROW = 560

/** Waterfall chart of a price from the base to the total; the table beside it gives the same in words. */
export function Waterfall({ bars, label, amount, cost }: Props) {
  const [width, measure] = useWidth()
  const hatch = useId()
  const narrow = width < NARROW
  const left = narrow ? 0 : Math.min(280, Math.round(width * 0.32))
  const row = narrow ? BAR + 26 : BAR + 12
  const top = narrow ? 20 : 5
  const max = Math.max(...bars.flatMap(({ from, to }) => [Number(from), Number(to)]), cost ? Number(cost.at) : 0, 0.01)
  const plotWidth = Math.max(width - left - AMOUNT, 40)
  const x = (value: string) => left + (Math.max(Number(value), 0) / max) * plotWidth
  const head = cost ? 22 : 0
  const height = head + bars.length * row + 4
  return (
    <Box ref={measure} sx={{ mb: 2 }}>
      <svg width="100%" height={height} aria-hidden style={{ display: 'block', overflow: 'visible' }}>
        <defs>
          <Hatch id={hatch} color={chartColors.accent} stripe={1.5} />
        </defs>
        {bars.map((bar, at) => {
          const y = head + at * row + top
          const [start, end] = [x(bar.from), x(bar.to)].sort((a, b) => a - b) as [number, number]
          const next = bars[at + 1]
          // a step that later percentages ignore is drawn half as high
          const half = bar.isIgnoredLater ? BAR / 2 : 0
          return (
            <g key={bar.key}>
              <text
                x={narrow ? 0 : left - 10}
                y={narrow ? y - 6 : y + 13}
                textAnchor={narrow ? 'start' : 'end'}
                fill={chartColors.ink}
                fontSize={12}
                fontWeight={bar.kind === 'total' ? 600 : 400}
              >
                {truncate(label(bar), narrow ? width : left - 10)}
              </text>
              <rect
                x={start}
                y={y + half}
                width={Math.max(end - start, 3)}
                height={BAR - half}
                rx={2}
                {...fillOf(bar, hatch)}
                data-kind={bar.kind}
              />
              {next && next.kind !== 'total' && (
                <line
                  x1={x(bar.to)}
                  x2={x(bar.to)}
                  y1={y + BAR}
                  y2={y + row + (next.isIgnoredLater ? BAR / 2 : 0)}
                  stroke={chartColors.muted}
                />
              )}
              <text
                x={Math.max(end, start + 3) + 6}
                y={y + 13}
                fill={chartColors.ink}
                fontSize={12}
                fontWeight={bar.kind === 'total' ? 600 : 400}
                style={HALO}
              >
                {amount(bar)}
              </text>
            </g>
          )
        })}
        {cost && (
          <g>
            <line x1={x(cost.at)} x2={x(cost.at)} y1={head - 4} y2={height} stroke={chartColors.muted} strokeDasharray="4 3" />
            <text
              x={Math.min(x(cost.at), width - 70)}
              y={12}
              textAnchor={x(cost.at) < left + 70 ? 'start' : 'middle'}
              fill={chartColors.muted}
              fontSize={12}
            >
              {cost.text}
            </text>
          </g>
        )}
      </svg>
    </Box>
  )
}

function fillOf({ kind, isIgnoredLater }: PriceBar, hatch: string) {
  if (kind === 'surcharge') return { fill: isIgnoredLater ? `url(#${hatch})` : chartColors.accent, stroke: chartColors.accent }
  if (kind === 'discount')
    return { fill: isIgnoredLater ? `url(#${hatch})` : chartColors.paper, stroke: chartColors.primary, strokeWidth: 1.5 }
  if (kind === 'rounding') return { fill: chartColors.muted }
  return { fill: chartColors.primary, fillOpacity: kind === 'total' ? 1 : 0.75 }
}
