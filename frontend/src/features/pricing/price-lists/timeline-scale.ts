import type { PriceListBar, PriceListSegment } from '~/api/schema'
import type { Scale } from '~/kit/plot/scale'

type Period = Pick<PriceListBar, 'valid_from' | 'valid_until'>

const DAY = 86_400_000

/**
 * Scale from the first start to the last change, including the current time, with a margin for periods
 * without an end.
 */
export function scaleOf(bars: readonly Period[], now: number): Scale {
  const moments = bars.flatMap(({ valid_from, valid_until }) => [valid_from, valid_until]).flatMap((iso) => (iso ? [Date.parse(iso)] : []))
  const [from, to] = [Math.min(now, ...moments), Math.max(now, ...moments)]
  const room = Math.max((to - from) / 8, 14 * DAY)
  return { from, to: to + room }
}

export interface PeriodSpan {
  start: number
  stop: number
}

/** Span of a period; without an end it reaches to the end of the drawing. */
export const spanOf = (from: string, until: string | null, { to }: Scale): PeriodSpan => ({
  start: Date.parse(from),
  stop: until === null ? to : Date.parse(until),
})

export type SegmentKind = 'gap' | 'overlap' | 'clear'

export const segmentKind = ({ counts, behind }: Pick<PriceListSegment, 'counts' | 'behind'>): SegmentKind =>
  counts === null ? 'gap' : behind.length > 0 ? 'overlap' : 'clear'

export const containsTime = ({ from, until }: Pick<PriceListSegment, 'from' | 'until'>, moment: number) =>
  Date.parse(from) <= moment && (until === null || moment < Date.parse(until))

/** Number of gaps or overlaps that have not passed; past ones cannot be fixed. */
export const countUpcoming = (segments: readonly PriceListSegment[], now: number, kind: SegmentKind) =>
  segments.filter((segment) => segmentKind(segment) === kind && (segment.until === null || Date.parse(segment.until) > now)).length
