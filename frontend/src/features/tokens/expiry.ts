const DAY = 24 * 60 * 60_000
/** From when on one is warned. */
const SOON = 7

export const PRESETS = ['7', '30', '90', '365'] as const
export const LONGEST = 365

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
export function dayInDays(days: number, now = new Date()): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  return [day.getFullYear(), String(day.getMonth() + 1).padStart(2, '0'), String(day.getDate()).padStart(2, '0')].join('-')
}
