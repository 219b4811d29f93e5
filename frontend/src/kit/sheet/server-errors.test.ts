import { expect, it } from 'vitest'
import { refusalsOf } from './server-errors'

const columnOf = (path: string) => (path === 'external_price.price' ? 'price' : null)

it('assigns errors to the cells of the rows that were sent', () => {
  const fields = {
    'prices.1.external_price.price': ['Zu klein.', 'Zu viele Stellen.'],
    'prices.0.version': ['Inzwischen geändert.'],
    'prices.2': ['Unbekannt.'],
    'prices.9.external_price.price': ['von niemandem'],
    prices: ['Zu viele.'],
  }
  expect(refusalsOf(fields, 'prices', [70, 71, 72], columnOf)).toEqual([
    { key: 71, column: 'price', message: 'Zu klein. Zu viele Stellen.' },
    { key: 70, column: null, message: 'Inzwischen geändert.' },
    { key: 72, column: null, message: 'Unbekannt.' },
  ])
})
