import { expect, it } from 'vitest'
import type { Money } from '~/api/schema'
import { movedPrice, percentBetween, roundDecimal } from './change-price'

const money = (price: string, price_quantity: string, unit: Money['unit']): Money => ({ price, price_quantity, unit })

it('changes a price by percent and rounds to cents', () => {
  expect(movedPrice(money('970.5', '1', 't'), { kind: 'percent', by: '3', places: 2 })).toBe('999.62')
  expect(movedPrice(money('970.5', '1', 't'), { kind: 'percent', by: '3', places: 4 })).toBe('999.615')
  expect(movedPrice(money('100', '1', 'piece'), { kind: 'percent', by: '-2.5', places: 2 })).toBe('97.5')
})

it('changes a price by EUR per tonne, in its own price unit', () => {
  expect(movedPrice(money('985', '1', 't'), { kind: 'per_ton', by: '15', places: 2 })).toBe('1000')
  expect(movedPrice(money('98.5', '100', 'kg'), { kind: 'per_ton', by: '15', places: 2 })).toBe('100')
  expect(movedPrice(money('0.985', '1', 'kg'), { kind: 'per_ton', by: '-15', places: 4 })).toBe('0.97')
  expect(movedPrice(money('12', '1', 'm'), { kind: 'per_ton', by: '15', places: 2 })).toBeNull()
  expect(movedPrice(money('10', '1', 't'), { kind: 'per_ton', by: '-15', places: 2 })).toBeNull()
})

it('rounds half away from zero, exactly', () => {
  expect([roundDecimal('1.005', 2), roundDecimal('-1.005', 2), roundDecimal('0.0049', 2), roundDecimal('12', 2)]).toEqual([
    '1.01',
    '-1.01',
    '0',
    '12',
  ])
})

it('returns the change in percent', () => {
  expect([percentBetween('985', '1000'), percentBetween('0', '5'), percentBetween('10', ''), percentBetween('100', '97')]).toEqual([
    '1.5',
    null,
    null,
    '-3',
  ])
})
