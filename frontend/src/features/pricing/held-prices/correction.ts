import { type HeldPrice, type Money, type Price, type Unit, unitValues } from '~/api/schema'
import { choice, decimal, z } from '~/kit/form/schema'

const SIDES = ['external_price', 'internal_price'] as const
type Side = (typeof SIDES)[number]

const money = () =>
  z.object({
    price: decimal({ min: 0, before: 8, after: 4, invalid: 'amount' }),
    price_quantity: decimal({ above: 0 }),
    unit: choice(unitValues),
  })

export const correctionSchema = z.object({ external_price: z.optional(money()), internal_price: z.optional(money()) })
export type Correction = z.output<typeof correctionSchema>

interface MoneyForm {
  price: string
  price_quantity: string
  unit: Unit
}
export type CorrectionForm = Partial<Record<Side, MoneyForm>>

const isSame = (a: Money | null, b: Money | null) =>
  a === b || (a?.price === b?.price && a?.price_quantity === b?.price_quantity && a?.unit === b?.unit)

/** Prices that a proposal would change, apart from quantity breaks. */
export const correctableSides = ({ current, wanted }: Pick<HeldPrice, 'current' | 'wanted'>): Side[] =>
  SIDES.filter((side) => wanted[side] !== null && !isSame(current[side], wanted[side]))

/** Initial values of the form: the suggested prices, or else the proposed ones. */
export const toForm = (row: HeldPrice): CorrectionForm =>
  Object.fromEntries(correctableSides(row).map((side) => [side, row.mended?.[side] ?? row.wanted[side]]))

const tierOf = ({ price, ...from }: HeldPrice['wanted']['external_bulk_prices'][number]) => ({ ...from, ...price })

/** Body that is sent: the corrected prices, the other prices unchanged, and the proposed quantity breaks. */
export const correctedPrice = ({ id, version, ...now }: Price, { wanted }: HeldPrice, corrected: Correction) => ({
  id,
  version,
  external_price: corrected.external_price ?? now.external_price,
  internal_price: corrected.internal_price ?? now.internal_price,
  external_bulk_prices: wanted.external_bulk_prices.map(tierOf),
  internal_bulk_prices: wanted.internal_bulk_prices.map(tierOf),
})

/** True if the corrected prices are in effect and not under review themselves. */
export const isInEffect = (saved: Price, corrected: Correction): boolean =>
  SIDES.every((side) => corrected[side] === undefined || isSame(saved[side], corrected[side]))

/** True if a proposal of a stock is still under review. */
export const isUnderReview = ({ held }: Price, proposal: number): boolean =>
  held !== null && (held.id === proposal || held.others.some(({ id }) => id === proposal))
