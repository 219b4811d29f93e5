import { expect, it } from 'vitest'
import { parseColumn, sortByOrder } from './use-columns'

const ids = (order: string[]) => sortByOrder([{ id: 'name' }, { id: 'a' }, { id: 'b' }, { id: 'c' }], order).map(({ id }) => id)

it.each([
  [[], 'name a b c'],
  [['c', 'a', 'b'], 'name c a b'],
  // the first column stays first, and unknown ids are ignored
  [['c', 'name', 'gone'], 'name a b c'],
  // a new column follows its neighbour in the default order
  [['c', 'a'], 'name c a b'],
  [['b'], 'name a b c'],
])('with %j: %s', (order, columns) => {
  expect(ids(order).join(' ')).toBe(columns)
})

it.each([
  ['name', { id: 'name', width: undefined }],
  ['name:240', { id: 'name', width: 240 }],
  ['name:wide', { id: 'name:wide', width: undefined }],
])('reads %s', (text, column) => {
  expect(parseColumn(text)).toEqual(column)
})
