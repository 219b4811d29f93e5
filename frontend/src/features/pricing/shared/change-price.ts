import type { Money, Unit } from '~/api/schema'
import { product, shortestDecimal } from '~/lib/decimal'
import { sumDecimals } from '~/lib/sum'

/** Change of a price by percent, or by EUR for a tonne. */
export interface PriceMove {
  kind: 'percent' | 'per_ton'
  by: string
  /** Decimal places: whole cents, or the four places of a price. */
  places: 2 | 4
}

/** Units of mass in tonnes. */
const TONNES: Partial<Record<Unit, string>> = { mg: '0.000000001', g: '0.000001', kg: '0.001', t: '1' }

/** Rounds a decimal half away from zero to a number of places. */
export function roundDecimal(value: string, places: number): string {
  const sign = value.startsWith('-') ? '-' : ''
  const [whole = '0', fraction = ''] = value.replace('-', '').split('.')
  const digits = BigInt(whole + fraction.padEnd(places + 1, '0').slice(0, places + 1))
  const text = String((digits + 5n) / 10n).padStart(places + 1, '0')
  return shortestDecimal(`${sign}${text.slice(0, -places)}.${text.slice(-places)}`)
}

/**
 * Price after a change; null if it would be below zero, or is not for a mass and therefore cannot be changed
 * by tonne.
 */
export function movedPrice({ price, price_quantity, unit }: Money, { kind, by, places }: PriceMove): string | null {
  const tonnes = TONNES[unit]
  if (kind === 'per_ton' && tonnes === undefined) return null
  const move = kind === 'percent' ? product(product(price, by), '0.01') : product(by, product(price_quantity, tonnes ?? '0'))
  const moved = roundDecimal(sumDecimals([price, move]), places)
  return moved.startsWith('-') ? null : moved
}

/** Change from one price to another in percent, rounded to one place; null if the first is zero. */
export function percentBetween(before: string, after: string): string | null {
  const from = Number(before)
  if (!(from > 0) || after === '') return null
  return roundDecimal((((Number(after) - from) / from) * 100).toFixed(6), 1)
}
