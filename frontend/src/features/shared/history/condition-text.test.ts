import { expect, it } from 'vitest'
import { conditionText, type TracedCondition } from './condition-text'
import { isCondition } from './is-condition'

const words = {
  t: (key: string, params?: Record<string, unknown>) => `${key.split('.').at(-1)}${params?.count === 2 ? ' of' : ''}`,
  reference: ({ id, name }: { id: number; name: string | null }) => name ?? `#${id}`,
  weekday: (day: string) => day.toUpperCase(),
  day: (day: string) => `on ${day}`,
  amount: (amount: string) => `${amount} €`,
  quantity: (quantity: string, unit: string) => `${quantity} ${unit}`,
}
const reference = (id: number, name: string | null) => ({ id, name, platform: false })

it.each<[TracedCondition, string]>([
  [{ type: 'cart_weight', op: 'greater_equals', value: '10', unit: 't' }, 'cart_weight greater_equals 10 t'],
  [{ type: 'item_weight', op: 'equals', value: '10', unit: null }, 'item_weight equals 10 kg'],
  [{ type: 'cart_base_price', op: 'lesser_than', value: '1000.5' }, 'cart_base_price lesser_than 1000.5 €'],
  [{ type: 'date', op: 'not_equals', value: '2026-12-31' }, 'date not_equals on 2026-12-31'],
  [{ type: 'material', op: 'not_in', value: [reference(3, 'S235JR'), reference(12, null)] }, 'material notIn of S235JR, #12'],
  [
    {
      all: [
        { type: 'item_quantity', op: 'equals', value: '3', unit: 'piece' },
        { any: [{ type: 'weekday', op: 'in', value: ['saturday'] }, { not: [{ type: 'weekday', op: 'in', value: ['sunday'] }] }] },
      ],
    },
    'item_quantity equals 3 pieceand(weekday in SATURDAYornot (weekday in SUNDAY))',
  ],
])('is worded as in the list of adjustments: %j', (condition, text) => {
  expect(isCondition(condition)).toBe(true)
  expect(conditionText(condition, words)).toBe(text)
})

it('does not take other values for conditions', () => {
  expect([{ id: 1, name: 'A', platform: false }, { kind: 'item', articles: [1] }, { all: 'x' }].map(isCondition)).toEqual([
    false,
    false,
    false,
  ])
})
