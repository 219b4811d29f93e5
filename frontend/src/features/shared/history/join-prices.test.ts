import { expect, it } from 'vitest'
import { joinPrices } from './join-prices'

const change = (field: string, from: unknown, to: unknown) => ({ field, of: null, unit: null, from, to })

it('shows a price with its unit, even if that has not changed', () => {
  const changes = [
    change('external_price', '92.5', '95'),
    change('external_price_quantity', '100', '100'),
    change('external_price_unit', 'kg', 'kg'),
    change('lead_time', null, 1440),
  ]
  expect(joinPrices(changes as never)).toEqual([
    change('external_price', { price: '92.5', price_quantity: '100', unit: 'kg' }, { price: '95', price_quantity: '100', unit: 'kg' }),
    change('lead_time', null, 1440),
  ])
})

it('shows an added or removed price, and leaves incomplete ones unchanged', () => {
  const [price, quantity, unit] = [change('price', null, '85'), change('price_quantity', null, '1'), change('price_unit', null, 't')]
  expect(joinPrices([price, quantity, unit] as never)).toEqual([change('price', null, { price: '85', price_quantity: '1', unit: 't' })])
  const removed = [change('price', '85', null), change('price_quantity', '1', null), change('price_unit', 't', null)]
  expect(joinPrices(removed as never)).toEqual([change('price', { price: '85', price_quantity: '1', unit: 't' }, null)])
  // as written by earlier versions
  expect(joinPrices([price] as never)).toEqual([price])
  expect(joinPrices([quantity, unit] as never)).toEqual([quantity, unit])
})
