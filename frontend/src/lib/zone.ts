import { addDays } from './days'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const clocks = new Map<string, Intl.DateTimeFormat>()
function clock(zone: string): Intl.DateTimeFormat {
  const formatter = clocks.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(zone, formatter)
  return formatter
}

/** Offset of a time zone from UTC at a moment, in milliseconds. */
const offsetOf = (at: number, zone: string) => Date.parse(`${clock(zone).format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000

/** Calendar day (yyyy-mm-dd) of a moment in a time zone. */
export const dayIn = (zone: string, at: number): string => clock(zone).format(at).slice(0, 10)

/** Start of a day in a time zone; if a clock change skips midnight, the moment of the change. */
export function dayStartIn(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const [earlier, later] = [midnight - offsetOf(midnight - DAY, zone), midnight - offsetOf(midnight + DAY, zone)]
  return Math.min(...[earlier, later].filter((at) => dayIn(zone, at) === day))
}

/** Last day of a period that ends at the start of a day; null if it ends within a day. */
export function lastDayBefore(zone: string, end: string): string | null {
  const at = Date.parse(end)
  const day = dayIn(zone, at)
  return dayStartIn(zone, day) === at ? addDays(day, -1) : null
}

/** Day and time of a moment in a time zone: `2026-11-23T15:24`. */
export const minuteIn = (zone: string, at: number): string => clock(zone).format(at).slice(0, 16).replace(' ', 'T')

/**
 * Moment of a day and time (HH:mm) in a time zone. For a time that occurs twice it is the first; a skipped
 * time is counted with the offset before the change.
 */
export function momentIn(zone: string, day: string, time: string): number {
  const asUtc = Date.parse(`${day}T${time}Z`)
  const [before, after] = [asUtc - offsetOf(asUtc - DAY, zone), asUtc - offsetOf(asUtc + DAY, zone)]
  const matches = [before, after].filter((at) => minuteIn(zone, at) === `${day}T${time}`)
  return matches.length > 0 ? Math.min(...matches) : before
}

/** Starts of the days between two moments in a time zone. */
export function midnightsIn(zone: string, from: number, to: number): number[] {
  const midnights: number[] = []
  for (let day = addDays(dayIn(zone, from), 1); ; day = addDays(day, 1)) {
    const at = dayStartIn(zone, day)
    if (at >= to) return midnights
    midnights.push(at)
  }
}
