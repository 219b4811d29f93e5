import { expect, it } from 'vitest'
import { compareDecimals, fits, formatAligned, formatDecimal, product, shortestDecimal } from './decimal'

it('formats long decimals exactly', () => {
  expect(formatDecimal('12345678901234567.891', 'de')).toBe('12.345.678.901.234.567,891')
})

it.each([
  ['850.000000', '850'],
  ['-0.0', '0'],
  ['007.50', '7.5'],
])('shortens %s to %s', (value, shortest) => expect(shortestDecimal(value)).toBe(shortest))

it('counts digits', () => {
  expect([fits('0.125', { before: 0, after: 3 }), fits('0.125', { before: 9, after: 2 })]).toEqual([true, false])
  expect([fits('-1234.5', { before: 4, after: 1 }), fits('-1234.5', { before: 3, after: 9 })]).toEqual([true, false])
})

it.each([
  ['61.3', 'de', '61,3\u2007\u2007'],
  ['5.8884', 'en', '5.888'],
  ['1234', 'de', '1.234\u2008\u2007\u2007\u2007'],
  ['1234', 'en', '1,234\u2008\u2007\u2007\u2007'],
] as const)('aligns %s in %s at the point', (value, lang, text) => expect(formatAligned(value, lang, 3)).toBe(text))

it.each([
  ['6.110', '6.11', 0],
  ['9', '10', -1],
  ['-0.5', '-0.25', -1],
  // these are the same as binary floats
  ['999999999999.000001', '999999999999.000000', 1],
  ['0.30000000000000001', '0.3', 1],
])('compares %s with %s', (a, b, order) => {
  expect([compareDecimals(a, b), compareDecimals(b, a)]).toEqual([order, order === 0 ? 0 : -order])
})

it.each(['1e30', '', ' 1', '1,5', 'abc'])('returns NaN for "%s", which is no decimal', (text) => {
  expect([compareDecimals(text, '5'), compareDecimals('5', text)]).toEqual([Number.NaN, Number.NaN])
})

it.each([
  ['1.005', '1000', '1005'],
  ['8.11', '1000', '8110'],
  ['6110', '0.001', '6.11'],
  ['-0.5', '0.2', '-0.1'],
  ['0', '25.4', '0'],
])('%s times %s is %s', (a, b, result) => expect(product(a, b)).toBe(result))
