import Box from '@mui/material/Box'
import { type KeyboardEvent, type MouseEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PriceOverTimeStep } from '~/api/schema'
import { useFormat } from '~/i18n/use-format'
import { chartColors, HALO } from '~/kit/plot/chart-colors'
import { Cursor, Hatch, NowLine } from '~/kit/plot/marks'
import { centred, halfOf, truncate } from '~/kit/plot/scale'
import { useWidth } from '~/kit/plot/use-width'
import { addDays } from '~/lib/days'
import { monthText } from '~/lib/months'
import { dayIn } from '~/lib/zone'
import { amountTicks, linesOf, momentOfDay, monthsIn, stepAt, stepKind } from './over-time-scale'
import { useAmounts } from './result'

interface Props {
  steps: readonly PriceOverTimeStep[]
  now: number
  zone: string
  /** Time that is explained. */
  moment: number | null
  onChoose: (moment: number) => void
}

const HEIGHT = 260
const TOP = 22
const AXIS = 24
/** Width of the band beside the line that marks overlaps. */
const BAND = 8
const RIGHT = 14
const DAY = 86_400_000
/** Width of a month's label including a margin. */
const NAME = 66

/**
 * Price over time as a step line; a day is selected by pointer, or by arrow keys and Enter. The table shows
 * the same.
 */
export function OverTimeChart({ steps, now, zone, moment, onChoose }: Props) {
  const { t } = useTranslation('priceOverTime')
  const { lang, weekdayDate } = useFormat()
  const { euro } = useAmounts()
  const id = useId()
  const [width, measure] = useWidth()
  const from = Date.parse(steps[0]?.from ?? '')
  const until = Date.parse(steps.at(-1)?.until ?? '')
  const times = { from, until }
  const first = dayIn(zone, from)
  const days = Math.round((Date.parse(dayIn(zone, until - 1)) - Date.parse(first)) / DAY)
  const indexOf = (at: number) => Math.round((Date.parse(dayIn(zone, at)) - Date.parse(first)) / DAY)
  const [cursor, setCursor] = useState<number | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const index = Math.min(Math.max(cursor ?? indexOf(Math.min(Math.max(moment ?? now, from), until - 1)), 0), days)
  const momentAt = (day: number) => momentOfDay(zone, addDays(first, day), times, now)

  const amounts = steps.flatMap(({ total }) => (total === null ? [] : [Number(total)]))
  const ticks = amountTicks(amounts.length > 0 ? amounts : [0])
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  // the label of the first month is centred below its start
  const left = Math.max(NAME / 2, ...ticks.map((tick) => 2 * halfOf(tickText(tick, lang)) + 8))
  const plot = Math.max(width - left - RIGHT, 40)
  const bottom = HEIGHT - AXIS - BAND - 4
  const x = (at: number) => left + ((Math.min(Math.max(at, from), until) - from) / (until - from)) * plot
  const y = (amount: number) => bottom - ((amount - low) / (high - low)) * (bottom - TOP)
  const months = monthsIn(zone, from, until)
  const labelInterval = Math.max(1, Math.ceil((months.length * NAME) / plot))

  /** Price of a day in words, or that it has none. */
  const priceTextAt = (at: number) => {
    const step = stepAt(steps, at)
    const price = step?.total ? euro(step.total) : t('noPrice')
    const more = step && stepKind(step) === 'overlap' ? `, ${t('overlap')}` : ''
    return `${weekdayDate(new Date(at).toISOString(), zone)}: ${price}${more}`
  }

  function onKeyDown(event: KeyboardEvent) {
    const changes = steps.map((step) => indexOf(Date.parse(step.from)))
    const targetByKey: Readonly<Record<string, number>> = {
      ArrowRight: index + 1,
      ArrowUp: index + 1,
      ArrowLeft: index - 1,
      ArrowDown: index - 1,
      PageDown: changes.find((at) => at > index) ?? days,
      PageUp: changes.findLast((at) => at < index) ?? 0,
      Home: 0,
      End: days,
    }
    const next = targetByKey[event.key]
    if (next !== undefined) setCursor(Math.min(Math.max(next, 0), days))
    else if (event.key === 'Enter' || event.key === ' ') onChoose(momentAt(index))
    else return
    event.preventDefault()
  }

  const dayAtPointer = (event: MouseEvent<HTMLElement>) => {
    const at = from + ((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / plot) * (until - from)
    return indexOf(Math.min(Math.max(at, from), until - 1))
  }

  function onClick(event: MouseEvent<HTMLElement>) {
    const day = dayAtPointer(event)
    setCursor(day)
    onChoose(momentAt(day))
  }

  const at = momentAt(hovered ?? index)
  const selectedStep = stepAt(steps, at)
  const label = truncate(priceTextAt(at), plot + left)
  return (
    <>
      <Box
        ref={measure}
        role="slider"
        tabIndex={0}
        aria-label={t('chart')}
        aria-describedby={`${id}-help`}
        aria-valuemin={0}
        aria-valuemax={days}
        aria-valuenow={index}
        aria-valuetext={priceTextAt(momentAt(index))}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onMouseMove={(event) => setHovered(dayAtPointer(event))}
        onMouseLeave={() => setHovered(null)}
        sx={{
          cursor: 'pointer',
          borderRadius: 1,
          touchAction: 'manipulation',
          '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
        }}
      >
        <svg width="100%" height={HEIGHT} aria-hidden style={{ display: 'block' }}>
          <defs>
            <Hatch id={`${id}-gap`} color={chartColors.error} size={7} stripe={0.75} opacity={0.45} />
            <Hatch id={`${id}-overlap`} color={chartColors.primary} />
          </defs>
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={left} x2={left + plot} y1={y(tick)} y2={y(tick)} stroke={chartColors.muted} strokeOpacity={0.25} />
              <text x={left - 8} y={y(tick) + 4} textAnchor="end" fontSize={12} fill={chartColors.muted}>
                {tickText(tick, lang)}
              </text>
            </g>
          ))}
          {months.map(({ at: start, month }, nth) => (
            <g key={month}>
              <line x1={x(start)} x2={x(start)} y1={bottom + BAND + 2} y2={bottom + BAND + 7} stroke={chartColors.muted} />
              {nth % labelInterval === 0 && x(start) + NAME / 2 < left + plot + RIGHT && (
                <text x={x(start)} y={HEIGHT - 4} textAnchor="middle" fontSize={12} fill={chartColors.ink}>
                  {monthText(month, lang)}
                </text>
              )}
            </g>
          ))}
          {steps.map((step) => {
            const kind = stepKind(step)
            const [start, stop] = [x(Date.parse(step.from)), x(Date.parse(step.until))]
            const size = Math.max(stop - start, 2)
            if (kind === 'gap')
              return <rect key={step.from} data-kind="gap" x={start} y={TOP} width={size} height={bottom - TOP} fill={`url(#${id}-gap)`} />
            if (kind === 'clear') return null
            return (
              <rect
                key={step.from}
                data-kind="overlap"
                x={start}
                y={bottom + 2}
                width={size}
                height={BAND}
                fill={`url(#${id}-overlap)`}
                stroke={chartColors.primary}
              />
            )
          })}
          {linesOf(steps).map((line) => (
            <path
              key={line.steps[0]?.from}
              data-past={line.past}
              d={line.steps
                .map((step, nth) => {
                  const [start, stop, height] = [x(Date.parse(step.from)), x(Date.parse(step.until)), y(Number(step.total))]
                  return `${nth === 0 ? 'M' : 'L'}${start} ${height}H${stop}`
                })
                .join('')}
              fill="none"
              stroke={chartColors.primary}
              strokeWidth={2.5}
              strokeLinejoin="round"
              {...(!line.past && { strokeDasharray: '6 3' })}
            />
          ))}
          {from <= now && now < until && (
            <g>
              <NowLine x={x(now)} top={TOP} bottom={bottom} />
              <text x={x(now)} y={bottom - 6} dx={5} fontSize={12} fontWeight={600} fill={chartColors.ink} style={HALO}>
                {t('now')}
              </text>
            </g>
          )}
          <Cursor x={x(at)} top={TOP - 4} bottom={bottom} />
          {selectedStep?.total && (
            <circle
              cx={x(at)}
              cy={y(Number(selectedStep.total))}
              r={4.5}
              fill={chartColors.paper}
              stroke={chartColors.primary}
              strokeWidth={2.5}
            />
          )}
          <text x={centred(x(at), label, width)} y={13} textAnchor="middle" fontSize={12} fontWeight={600} fill={chartColors.ink}>
            {label}
          </text>
        </svg>
      </Box>
      <Box component="p" id={`${id}-help`} sx={{ m: 0, mt: 0.5, typography: 'caption', color: 'text.secondary', textWrap: 'pretty' }}>
        {t('chartHelp')}
      </Box>
    </>
  )
}

const tickText = (tick: number, lang: string) => `${new Intl.NumberFormat(lang, { maximumFractionDigits: 2 }).format(tick)}\u00a0€`
