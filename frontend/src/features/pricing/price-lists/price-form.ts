import { type PriceListPrice, type PriceListPriceInput, type Unit, unitValues } from '~/api/schema'
import { type TierForm, tierForm, tiersSchema } from '~/features/pricing/shared/tier'
import { choice, decimal, nullableDecimal, ref, z } from '~/kit/form/schema'
import { errorsAtFields } from './errors-at-fields'

export const priceSchema = z.object({
  article_id: ref(),
  price: nullableDecimal({ min: 0, before: 8, after: 4, invalid: 'amount' }),
  price_quantity: decimal({ above: 0 }),
  unit: choice(unitValues),
  bulk_prices: tiersSchema(),
})
export type PriceBody = z.output<typeof priceSchema>

export interface PriceForm {
  article_id: number | null
  price: string
  price_quantity: string
  unit: Unit
  bulk_prices: TierForm[]
}

/** Fields that together are one price. */
export const MONEY = { price: ['price', 'price_quantity', 'unit'] } as const

export const toPriceForm = (row: PriceListPrice | null): PriceForm => ({
  article_id: row?.article.id ?? null,
  price: row?.price?.price ?? '',
  price_quantity: row?.price?.price_quantity ?? '1',
  unit: row?.price?.unit ?? row?.article.price_unit ?? 't',
  bulk_prices: row?.bulk_prices.map((tier) => tierForm(tier, row.article.listing_unit)) ?? [],
})

/** Converts the form to the input of the API; `version` is 0 if the list has no price of the article yet. */
export const priceFormInput = ({ price, price_quantity, unit, ...body }: PriceBody, version: number): PriceListPriceInput => ({
  ...body,
  price: price === null ? null : { price, price_quantity, unit },
  version,
})

const FIELDS: Readonly<Record<string, string>> = { 'price.price': 'price', 'price.price_quantity': 'price_quantity', 'price.unit': 'unit' }

/**
 * Maps the errors of a bulk call with one row to the fields of its form; a version conflict gets the
 * dialog's own text.
 */
export const singleRowErrors = (error: unknown, stale: string) => {
  const fieldPath = (path: string) => path.replace(/^prices\.0\./, '')
  return errorsAtFields(
    error,
    (path) => FIELDS[fieldPath(path)] ?? fieldPath(path),
    (path) => (fieldPath(path) === 'version' ? stale : null),
  )
}
