import { addDays, today } from '~/lib/days'

const DAY = 24 * 60 * 60_000
/** From when on one is warned, as by the first mail. */
const SOON = 14

export const PRESETS = ['7', '30', '90', '365'] as const
export const LONGEST = 365
/** For how many hours a token may work on beside the one that replaces it. */
export const OVERLAPS = ['0', '1', '24', '72', '168'] as const

export type Expiry = { state: 'expired' | 'later' } | { state: 'soon'; days: number }

/** How far a token is from its end. */
export function expiryOf(expiresAt: string, now = Date.now()): Expiry {
  const left = new Date(expiresAt).getTime() - now
  if (left <= 0) return { state: 'expired' }
  const days = Math.floor(left / DAY)
  return days < SOON ? { state: 'soon', days } : { state: 'later' }
}

export const inDays = (days: number, now = Date.now()) => new Date(now + days * DAY).toISOString()

/** yyyy-mm-dd of the day so many days from now, here. */
export const dayInDays = (days: number, now = new Date()): string => addDays(today(now), days)

/** Until when a token works beside the one that replaces it, never beyond its own end; nothing when that is now. */
export function worksUntil(expiresAt: string, overlapHours: number, now = Date.now()): string | null {
  const until = Math.min(new Date(expiresAt).getTime(), now + overlapHours * 60 * 60_000)
  return until > now ? new Date(until).toISOString() : null
}
