import { choice, text, z } from '~/kit/form/schema'
import { addDays, isDay } from '~/lib/days'

/** Scope of a closure: the place whose calendar is open, or all places of its kind. */
export const SCOPES = ['one', 'all'] as const

const day = z.string().check(
  z.minLength(1, 'required'),
  z.refine((value) => value === '' || isDay(value), 'date'),
)

/** Maximum number of days that are closed together. */
export const RANGE_MAX = 62

const lastDay = z.string().check(z.refine((value) => value === '' || isDay(value), 'date'))

export const closureSchema = z.object({ date: day, until: lastDay, name: text(), scope: choice(SCOPES) }).check(
  z.check(({ value, issues }) => {
    const { date, until } = value
    if (!isDay(date) || !isDay(until)) return
    const addIssue = (message: string) => issues.push({ code: 'custom', input: until, path: ['until'], message })
    if (until < date) addIssue('rangeReversed')
    else if (until > addDays(date, RANGE_MAX - 1)) addIssue(`rangeTooLong?max=${RANGE_MAX}`)
  }),
)

type RangeBody = z.output<typeof closureSchema>
/** Closure of one day. */
export type ClosureBody = Omit<RangeBody, 'until'>

/** Closures for the days of a range, except those that are off already. */
export function closuresOf({ until, ...first }: RangeBody, isOff: (day: string) => boolean): ClosureBody[] {
  if (until === '' || until === first.date) return [first]
  const days: string[] = []
  for (let at = first.date; at <= until; at = addDays(at, 1)) if (!isOff(at)) days.push(at)
  return days.map((date) => ({ ...first, date }))
}

/** Same closures a year later; one on 29 February is left out. */
export const nextYearOf = (closures: readonly { date: string; name: string; warehouse_id?: number | null }[]): ClosureBody[] =>
  closures.flatMap(({ date, name, warehouse_id }) => {
    const later = `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`
    return isDay(later) ? [{ date: later, name, scope: warehouse_id === null ? ('all' as const) : ('one' as const) }] : []
  })

export type RangeOutput = RangeBody
export type ClosureForm = z.input<typeof closureSchema>
