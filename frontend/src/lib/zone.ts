import { addDays } from './days'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const clocks = new Map<string, Intl.DateTimeFormat>()
function clock(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  clocks.set(zone, known)
  return known
}

/** By how much the clocks of a zone are ahead of UTC. */
const ahead = (at: number, zone: string) => Date.parse(`${clock(zone).format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000

/** The day of the calendar (yyyy-mm-dd) of a moment in a time zone. */
export const dayIn = (zone: string, at: number): string => clock(zone).format(at).slice(0, 10)

/** When a day begins in a time zone; where a change of the clocks skips midnight, that is when they have changed. */
export function dayStartIn(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  const [earlier, later] = [midnight - ahead(midnight - DAY, zone), midnight - ahead(midnight + DAY, zone)]
  return Math.min(...[earlier, later].filter((at) => dayIn(zone, at) === day))
}

/** The last day of a period that ends when one begins; null of one that ends within a day. */
export function lastDayBefore(zone: string, end: string): string | null {
  const at = Date.parse(end)
  const day = dayIn(zone, at)
  return dayStartIn(zone, day) === at ? addDays(day, -1) : null
}

/** A moment as its day and time in a time zone: `2026-11-23T15:24`. */
export const minuteIn = (zone: string, at: number): string => clock(zone).format(at).slice(0, 16).replace(' ', 'T')

/**
 * The moment at which the clocks of a time zone show a day and a time (HH:mm). Of a time that comes twice it is the first; one that is
 * skipped is counted on from the clocks before.
 */
export function momentIn(zone: string, day: string, time: string): number {
  const shown = Date.parse(`${day}T${time}Z`)
  const [before, after] = [shown - ahead(shown - DAY, zone), shown - ahead(shown + DAY, zone)]
  const found = [before, after].filter((at) => minuteIn(zone, at) === `${day}T${time}`)
  return found.length > 0 ? Math.min(...found) : before
}

/** When days begin between two moments in a time zone. */
export function midnightsIn(zone: string, from: number, to: number): number[] {
  const found: number[] = []
  for (let day = addDays(dayIn(zone, from), 1); ; day = addDays(day, 1)) {
    const at = dayStartIn(zone, day)
    if (at >= to) return found
    found.push(at)
  }
}
