import type { PriceImpact } from '~/api/schema'

/** Some prices that fall, for tests. */
export const impactAnswer = (part: Partial<PriceImpact> = {}): PriceImpact => ({
  at: '2026-11-30T23:00:00Z',
  examined: {
    carts: 2480,
    moments: ['2026-11-30T23:00:00Z'],
    quantities: [
      { kind: 'price_unit', value: null, unit: null },
      { kind: 'exactly', value: '25', unit: 't' },
    ],
    customer_groups: 1,
    complete: true,
  },
  articles_in_all: 1240,
  articles_examined: 1240,
  articles_touched: 312,
  articles_appearing: 0,
  articles_vanishing: 0,
  below_internal_before: 3,
  below_internal_after: 5,
  up: { prices: 0, median_percent: null, largest_percent: null },
  down: { prices: 624, median_percent: '3', largest_percent: '7.14' },
  movers: [
    {
      article: { id: 7, article_number: 'IPE-200', article_name: 'IPE 200', base_unit: 'm', listing_unit: 'm', price_unit: 't' },
      buyer: { id: 2, short_code: 'SUED', company: 'Südstahl GmbH' },
      at: '2026-11-30T23:00:00Z',
      quantity: '25',
      unit: 't',
      processing: null,
      before: '24625',
      after: '23886.25',
      change: '-738.75',
      percent: '-3',
      below_internal: true,
    },
    {
      article: { id: 8, article_number: 'HEB-120', article_name: 'HEB 120', base_unit: 'm', listing_unit: 'm', price_unit: 't' },
      buyer: null,
      at: '2026-11-30T23:00:00Z',
      quantity: '1',
      unit: 't',
      processing: null,
      before: '0',
      after: '10',
      change: '10',
      percent: null,
      below_internal: false,
    },
  ],
  customers: { count: 12, named: [{ id: 2, short_code: 'SUED', company: 'Südstahl GmbH' }] },
  sample_carts: [
    cart(4, 'Unverändert', '500', '500'),
    cart(5, 'Zwei Tonnen', '1970', '1910.9', { change: '-59.1', percent: '-3' }),
    cart(6, 'Ohne', '100', null),
  ],
  held: 0,
  ...part,
})

type Cart = NonNullable<PriceImpact['sample_carts']>[number]

function cart(id: number, name: string, before: string, after: string | null, more: Partial<Cart> = {}): Cart {
  const refused = { field: 'lines.0', code: 'no_price' as const, message: 'Für diesen Artikel gibt es keinen Preis.' }
  return {
    id,
    name,
    at: '2026-11-30T23:00:00Z',
    before: { total: before, as_expected: true, errors: [] },
    after: { total: after, as_expected: before === after, errors: after === null ? [refused] : [] },
    change: '0',
    percent: '0',
    ...more,
    ...(after === null && { change: null, percent: null }),
  }
}
