import type { PriceOverTimeStep } from '~/api/schema'
import { addMonths, type Month, monthOf } from '~/lib/months'
import { dayIn, dayStartIn, momentIn } from '~/lib/zone'

type Period = Pick<PriceOverTimeStep, 'from' | 'until'>

/** Choices for the number of months shown before and after the current one. */
export const MONTH_COUNTS = [3, 12, 24] as const
export type MonthCount = (typeof MONTH_COUNTS)[number]

/** Number of past months that the history covers. */
const PAST_MONTHS = 13

/**
 * Period around the current month, from the start of one month to the start of another; it stays the same
 * during a month.
 */
export function timesOf(span: MonthCount, now: number, zone: string): { from: number; until: number } {
  const start = (months: number) => dayStartIn(zone, `${addMonths(monthOf(dayIn(zone, now)), months)}-01`)
  return { from: start(-Math.min(span, PAST_MONTHS)), until: start(span + 1) }
}

/** Returns the step that applies at a time. */
export const stepAt = <S extends Period>(steps: readonly S[], moment: number): S | undefined =>
  steps.find(({ from, until }) => Date.parse(from) <= moment && moment < Date.parse(until))

/** Returns a time of the day that is within the period: now for today, otherwise noon. */
export function momentOfDay(zone: string, day: string, { from, until }: { from: number; until: number }, now: number): number {
  const moment = day === dayIn(zone, now) ? now : momentIn(zone, day, '12:00')
  return Math.min(Math.max(moment, from), until - 1)
}

/** Starts of the months within a period. */
export function monthsIn(zone: string, from: number, until: number): { at: number; month: Month }[] {
  const months: { at: number; month: Month }[] = []
  for (let month = monthOf(dayIn(zone, from)); ; month = addMonths(month, 1)) {
    const at = dayStartIn(zone, `${month}-01`)
    if (at >= until) return months
    if (at >= from) months.push({ at, month })
  }
}

/** Round amounts for the axis that cover all given ones; at least two. */
export function amountTicks(amounts: readonly number[], maxCount = 5): number[] {
  const [least, greatest] = [Math.min(...amounts), Math.max(...amounts)]
  // a constant price is drawn in the middle
  const room = greatest > least ? (greatest - least) * 0.08 : Math.max(Math.abs(greatest) * 0.05, 1)
  const [low, high] = [Math.max(least - room, 0), greatest + room]
  const roughStep = (high - low) / (maxCount - 1)
  const power = 10 ** Math.floor(Math.log10(roughStep))
  const size = ([1, 2, 5, 10].find((times) => times * power >= roughStep) ?? 10) * power
  const first = Math.floor(low / size)
  const last = Math.ceil(high / size)
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * size).toFixed(6)))
}

export type StepKind = 'gap' | 'overlap' | 'clear'

export const stepKind = ({ total, overlaps }: Pick<PriceOverTimeStep, 'total' | 'overlaps'>): StepKind =>
  total === null ? 'gap' : overlaps.length > 0 ? 'overlap' : 'clear'

/** Groups consecutive steps with a price into lines; past and future steps are separate lines. */
export function linesOf<S extends Pick<PriceOverTimeStep, 'total' | 'past'>>(steps: readonly S[]): { past: boolean; steps: S[] }[] {
  const lines: { past: boolean; steps: S[] }[] = []
  let before: S | null = null
  for (const step of steps) {
    const last = lines.at(-1)
    if (step.total !== null) {
      if (last && before !== null && before.total !== null && last.past === step.past) last.steps.push(step)
      else lines.push({ past: step.past, steps: [step] })
    }
    before = step
  }
  return lines
}
