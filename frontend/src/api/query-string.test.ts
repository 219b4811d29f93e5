import { expect, it } from 'vitest'
import { queryString } from './query-string'

it('serialises filters beside the other parameters, and several values one after the other', () => {
  const query = { 'page[size]': 20, sort: undefined, filter: { 'filter[name]': 'S 235', 'filter[id]': [7, 8] }, format: 'csv' }
  expect(queryString(query)).toBe('page[size]=20&filter[name]=S%20235&filter[id]=7&filter[id]=8&format=csv')
  expect(queryString({})).toBe('')
})
