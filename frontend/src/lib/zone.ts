import { addDays } from './days'

const MINUTE = 60_000

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
  const [earlier, later] = [midnight - ahead(midnight - 24 * 60 * MINUTE, zone), midnight - ahead(midnight + 24 * 60 * MINUTE, zone)]
  return Math.min(...[earlier, later].filter((at) => dayIn(zone, at) === day))
}

/** The last day of a period that ends when one begins; null of one that ends within a day. */
export function lastDayBefore(zone: string, end: string): string | null {
  const at = Date.parse(end)
  const day = dayIn(zone, at)
  return dayStartIn(zone, day) === at ? addDays(day, -1) : null
}
