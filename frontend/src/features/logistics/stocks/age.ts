import type { Stock } from '~/api/schema'

const DAY = 86_400_000

/** Number of days up to which a value is fresh, and up to which it is still usable with care. */
const FRESH_DAYS = 7
const AGEING_DAYS = 30

export type Age = 'fresh' | 'ageing' | 'old'

export function ageOf(since: string, now: Date): Age {
  const days = (now.getTime() - Date.parse(since)) / DAY
  return days <= FRESH_DAYS ? 'fresh' : days <= AGEING_DAYS ? 'ageing' : 'old'
}

/**
 * Time at which the quantity was last confirmed: changed by a user, confirmed by an import, or answered by
 * the tenant's own system. Null if that has never answered.
 */
export function quantityKnownAt({
  availability_type,
  last_known,
  updated_at,
  confirmed_at,
}: Pick<Stock, 'availability_type' | 'last_known' | 'updated_at' | 'confirmed_at'>): string | null {
  if (availability_type === 'external-api') return last_known?.as_of ?? null
  return confirmed_at !== null && Date.parse(confirmed_at) > Date.parse(updated_at) ? confirmed_at : updated_at
}
