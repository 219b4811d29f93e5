import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import type { Price } from '~/api/schema'
import { type Changes, refuse, write } from '~/kit/sheet/changes'
import { missingStockPrices, priceColumns, stockPriceColumn, stockPriceInput } from './sheet'

const units = [
  { value: 'kg', label: 'kg', names: ['Kilogramm'] },
  { value: 't', label: 't', names: ['Tonne', 'to'] },
  { value: 'm2', label: 'm²' },
]
const texts = {
  head: (field: string) => field,
  margin: () => '',
  heldText: () => '',
  tiers: () => '',
  price: (_: Price, text: ReactNode) => text,
  old: (price: string) => `war ${price}`,
  change: (before: string, after: string) => `${before} -> ${after}`,
  perTonne: () => '920,00',
  changed: () => '',
}
const open = () => undefined
const list = priceColumns(texts, units, 'de', { mayEdit: true, open, review: open })
const columns = new Map(list.map((column) => [column.id, column]))
const row = {
  id: 7,
  version: 3,
  article: { price_unit: 't' },
  external_price: { price: '850.0000', price_quantity: '1', unit: 't' },
  internal_price: null,
  internal_bulk_prices: [],
  external_bulk_prices: [{ quantity_from: '10', quantity_unit: 't', price: '830', price_quantity: '1', unit: 't' }],
} as unknown as Price

function typed(...texts: [string, string][]): Changes<Price> {
  const writes = texts.map(([column, text]) => ({ key: 7, row, at: 0, column, text }))
  return write(new Map(), writes, columns, 'de')
}
const sent = (changes: Changes<Price>) => {
  const change = changes.get(7)
  return change && stockPriceInput(change, columns)
}

it('shows the price right after the row header on a phone', () => {
  const [first, next] = priceColumns(texts, units, 'de', { mayEdit: true, narrow: true, open, review: open })
  expect(first?.cell?.({ article: { article_number: 'IPE-80-S235JR-12.1' }, warehouse: { short_code: 'DU' } } as Price, '', () => '')).toBe(
    'IPE-80-S235JR-12.1 · DU',
  )
  expect([first?.sticky, next?.id]).toEqual([true, 'external_price.price'])
  const per = (quantity: string) => (column: string) => (column.endsWith('quantity') ? quantity : 'kg')
  expect(next?.cell?.({} as Price, '89', per('100'))).toBe('89,00 / 100\u00a0kg')
  expect(next?.cell?.({} as Price, '0.89', per('1'))).toBe('0,89 / kg')
  expect(next?.cell?.({} as Price, '', per('1'))).toBe('')
})

describe('the input', () => {
  it('contains both current prices, with quantity breaks and the edited version', () => {
    expect(sent(typed(['external_price.price', '92,50 €/100 kg']))).toEqual({
      id: 7,
      version: 3,
      external_price: { price: '92.5', price_quantity: '100', unit: 'kg' },
      internal_price: null,
      external_bulk_prices: row.external_bulk_prices,
      internal_bulk_prices: [],
    })
  })

  it('contains a new price per price unit of its article', () => {
    expect(sent(typed(['internal_price.price', '790']))?.internal_price).toEqual({ price: '790', price_quantity: '1', unit: 't' })
  })

  it('contains null for a cleared price', () => {
    expect(sent(typed(['external_price.price', '']))?.external_price).toBeNull()
  })
})

it('requires the price if only its quantity or unit was entered', () => {
  expect(missingStockPrices(typed(['internal_price.unit', 'kg']), 'Pflichtfeld')).toEqual([
    { key: 7, column: 'internal_price.price', message: 'Pflichtfeld' },
  ])
  expect(
    missingStockPrices(typed(['internal_price.unit', 'kg'], ['internal_price.price', '1'], ['external_price.unit', 'kg']), ''),
  ).toEqual([])
})

it('assigns errors of the server to their cells', () => {
  const at = (path: string) => stockPriceColumn(path, columns)
  expect([
    at('external_price.price'),
    at('internal_price.unit'),
    at('external_price'),
    at('version'),
    at('external_bulk_prices.0.price'),
  ]).toEqual(['external_price.price', 'internal_price.unit', 'external_price.price', null, 'external_bulk_prices'])
  const refused = refuse(typed(['external_price.price', '1']), [{ key: 7, column: at('external_price.unit'), message: 'falsch' }], columns)
  expect(refused.get(7)?.cells.get('external_price.unit')?.error?.message).toBe('falsch')
})

it('shows the old price and the change beside an edited price only', () => {
  const derived = (id: string, typed: string) => columns.get(id)?.derived?.(row, () => typed)
  expect([derived('old_price', '850'), derived('price_change', '850')]).toEqual(['', ''])
  expect([derived('old_price', '900'), derived('price_change', '900')]).toEqual(['war 850.0000', '850.0000 -> 900'])
})

it('has a review column beside the prices, which opens only rows under review', () => {
  const ids = list.map(({ id }) => id)
  expect(ids.indexOf('held')).toBe(ids.indexOf('external_price.price') - 1)
  expect(columns.get('held')?.canOpen?.({ ...row, held: null } as Price)).toBe(false)
})
