import { addDays } from '~/lib/days'
import { dayIn, momentIn } from '~/lib/zone'

/** Span of time, in milliseconds. */
export interface TimeSpan {
  from: number
  to: number
}

/** Times of day between which it is night. */
const NIGHT = { begins: '22:00', ends: '06:00' }

/** Returns the nights between two moments, cut off at both. */
export function nightsIn(zone: string, { from, to }: TimeSpan): TimeSpan[] {
  const nights: TimeSpan[] = []
  for (let day = addDays(dayIn(zone, from), -1); ; day = addDays(day, 1)) {
    const begin = momentIn(zone, day, NIGHT.begins)
    if (begin >= to) return nights
    const end = momentIn(zone, addDays(day, 1), NIGHT.ends)
    if (end > from) nights.push({ from: Math.max(begin, from), to: Math.min(end, to) })
  }
}
