import type { PriceOverTimeStep } from '~/api/schema'
import { addMonths, type Month, monthOf } from '~/lib/months'
import { dayIn, dayStartIn, momentIn } from '~/lib/zone'

type Lasts = Pick<PriceOverTimeStep, 'from' | 'until'>

/** How many months back and ahead are looked at. */
export const SPANS = [3, 12, 24] as const
export type Span = (typeof SPANS)[number]

/** The history reaches back so far. */
const BACK = 13

/** From the beginning of a month to that of another, around the present one: the same for a whole month. */
export function timesOf(span: Span, now: number, zone: string): { from: number; until: number } {
  const start = (months: number) => dayStartIn(zone, `${addMonths(monthOf(dayIn(zone, now)), months)}-01`)
  return { from: start(-Math.min(span, BACK)), until: start(span + 1) }
}

/** The step that holds at a moment. */
export const stepAt = <S extends Lasts>(steps: readonly S[], moment: number): S | undefined =>
  steps.find(({ from, until }) => Date.parse(from) <= moment && moment < Date.parse(until))

/** A moment that stands for a day within what is looked at: the present one of today, otherwise noon. */
export function momentOfDay(zone: string, day: string, { from, until }: { from: number; until: number }, now: number): number {
  const moment = day === dayIn(zone, now) ? now : momentIn(zone, day, '12:00')
  return Math.min(Math.max(moment, from), until - 1)
}

/** When months begin after a moment, until another. */
export function monthsIn(zone: string, from: number, until: number): { at: number; month: Month }[] {
  const found: { at: number; month: Month }[] = []
  for (let month = monthOf(dayIn(zone, from)); ; month = addMonths(month, 1)) {
    const at = dayStartIn(zone, `${month}-01`)
    if (at >= until) return found
    if (at >= from) found.push({ at, month })
  }
}

/** Round amounts that cover all of these, with at least two of them. */
export function amountTicks(amounts: readonly number[], most = 5): number[] {
  const [least, greatest] = [Math.min(...amounts), Math.max(...amounts)]
  // what never changes lies in the middle
  const room = greatest > least ? (greatest - least) * 0.08 : Math.max(Math.abs(greatest) * 0.05, 1)
  const [low, high] = [Math.max(least - room, 0), greatest + room]
  const rough = (high - low) / (most - 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const size = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power
  const first = Math.floor(low / size)
  const last = Math.ceil(high / size)
  return Array.from({ length: last - first + 1 }, (_, at) => Number(((first + at) * size).toFixed(6)))
}

export type StepKind = 'gap' | 'overlap' | 'clear'

export const kindOf = ({ total, overlaps }: Pick<PriceOverTimeStep, 'total' | 'overlaps'>): StepKind =>
  total === null ? 'gap' : overlaps.length > 0 ? 'overlap' : 'clear'

/** Steps that follow each other with a price: each is one line; what was and what will be are two. */
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
