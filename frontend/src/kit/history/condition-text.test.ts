import { expect, it } from 'vitest'
import type { Condition } from '~/api/schema'
import { conditionText, isCondition } from './condition-text'

// as crates/pricing/src/condition/text.rs prints them
it.each<[Condition, string]>([
  [{ type: 'cart_weight', op: 'greater_equals', value: '10', unit: 't' }, 'cart_weight >= 10 t'],
  [{ type: 'cart_base_price', op: 'lesser_than', value: '1000.5' }, 'cart_base_price < 1000.5'],
  [{ type: 'date', op: 'not_equals', value: '2026-12-31' }, 'date != 2026-12-31'],
  [{ type: 'material', op: 'not_in', value: [3, 12] }, 'material not in (3, 12)'],
  [
    {
      all: [
        { type: 'item_quantity', op: 'equals', value: '3', unit: 'piece' },
        { not: [{ type: 'weekday', op: 'in', value: ['saturday'] }] },
      ],
    },
    'all(item_quantity = 3 piece, not(weekday in (saturday)))',
  ],
])('is what the server prints: %j', (condition, text) => {
  expect(isCondition(condition)).toBe(true)
  expect(conditionText(condition)).toBe(text)
})

it('is not taken for something else', () => {
  expect([{ id: 1, name: 'A', platform: false }, { kind: 'item', articles: [1] }, { all: 'x' }].map(isCondition)).toEqual([
    false,
    false,
    false,
  ])
})
