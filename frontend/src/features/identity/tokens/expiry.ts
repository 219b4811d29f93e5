import { addDays, daysFrom, today } from '~/lib/days'
import { dayIn } from '~/lib/zone'

const DAY = 24 * 60 * 60_000
/** Days before expiry from which a warning is shown; the first warning mail is sent at the same time. */
const SOON = 14

export const PRESETS = ['7', '30', '90', '365'] as const
export const LONGEST = 365
/** Hours for which a replaced token can remain valid. */
export const OVERLAPS = ['0', '1', '24', '72', '168'] as const

export type Expiry = { state: 'expired' | 'later' } | { state: 'soon'; days: number }

/**
 * Classifies a token by the time until it expires. `days` counts calendar days of the time zone: 0 if today
 * is the last day on which the token is valid.
 */
export function expiryOf(expiresAt: string, zone: string, now = Date.now()): Expiry {
  const end = Date.parse(expiresAt)
  if (end <= now) return { state: 'expired' }
  if (end - now >= SOON * DAY) return { state: 'later' }
  return { state: 'soon', days: daysFrom(dayIn(zone, now), dayIn(zone, end - 1)) }
}

export const inDays = (days: number, now = Date.now()) => new Date(now + days * DAY).toISOString()

/** Returns the date `days` days from today as yyyy-mm-dd, in the browser's time zone. */
export const dayInDays = (days: number, now = new Date()): string => addDays(today(now), days)

/**
 * Time until which a replaced token remains valid, never beyond its own expiry; null if it ends immediately.
 */
export function worksUntil(expiresAt: string, overlapHours: number, now = Date.now()): string | null {
  const until = Math.min(new Date(expiresAt).getTime(), now + overlapHours * 60 * 60_000)
  return until > now ? new Date(until).toISOString() : null
}
