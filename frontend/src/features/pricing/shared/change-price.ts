import type { Money, Unit } from '~/api/schema'
import { product, shortestDecimal } from '~/lib/decimal'
import { sumDecimals } from '~/lib/sum'

/** A change by percent of a price, or by EUR for a tonne. */
export interface PriceMove {
  kind: 'percent' | 'per_ton'
  by: string
  /** Whole cents, or the four places of a price. */
  places: 2 | 4
}

/** Parts of a tonne. */
const TONNES: Partial<Record<Unit, string>> = { mg: '0.000000001', g: '0.000001', kg: '0.001', t: '1' }

/** A decimal rounded half away from zero to some places. */
export function roundedTo(value: string, places: number): string {
  const sign = value.startsWith('-') ? '-' : ''
  const [whole = '0', fraction = ''] = value.replace('-', '').split('.')
  const digits = BigInt(whole + fraction.padEnd(places + 1, '0').slice(0, places + 1))
  const text = String((digits + 5n) / 10n).padStart(places + 1, '0')
  return shortestDecimal(`${sign}${text.slice(0, -places)}.${text.slice(-places)}`)
}

/** A price after a move; null where it cannot be moved so: it is for no weight, or would be below zero. */
export function movedPrice({ price, price_quantity, unit }: Money, { kind, by, places }: PriceMove): string | null {
  const tonnes = TONNES[unit]
  if (kind === 'per_ton' && tonnes === undefined) return null
  const move = kind === 'percent' ? product(product(price, by), '0.01') : product(by, product(price_quantity, tonnes ?? '0'))
  const moved = roundedTo(sumDecimals([price, move]), places)
  return moved.startsWith('-') ? null : moved
}

/** The change from one price to another in percent, rounded to one place; null from nothing. */
export function percentBetween(before: string, after: string): string | null {
  const from = Number(before)
  if (!(from > 0) || after === '') return null
  return roundedTo((((Number(after) - from) / from) * 100).toFixed(6), 1)
}
