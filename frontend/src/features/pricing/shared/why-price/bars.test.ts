import { expect, it } from 'vitest'
import type { QuoteItem, QuoteStep } from '~/api/schema'
import { barsOf } from './bars'

const step = (adjustment_id: number, amount: string, rest: Partial<QuoteStep> = {}): QuoteStep => ({
  adjustment_id,
  name: `Regel ${adjustment_id}`,
  operation: amount.startsWith('-') ? 'discount' : 'surcharge',
  value: '1',
  calculation_type: 'absolute',
  ignored_further: false,
  surcharge: null,
  outcome: 'applied',
  conditions: null,
  basis: null,
  basis_unit: null,
  amount,
  exact: amount,
  total: '0',
  ...rest,
})

const item = (base: string, total: string, steps: QuoteStep[], rounding = '0'): QuoteItem => ({
  type: 'article',
  processing_id: null,
  base,
  total,
  exact: total,
  weight: null,
  explanation: { processing_price: null, steps, rounding },
})

const barValues = (items: QuoteItem[]) =>
  barsOf(items).map(({ kind, from, to, amount, isIgnoredLater }) => [kind, from, to, amount, isIgnoredLater])

it('leads from zero over base price, adjustments and rounding to the total', () => {
  // three bars of HEB 200, 12.1 m of 61.3 kg each, at 985 a tonne
  const steps = [
    step(1, '77.88', { ignored_further: true }),
    step(2, '-65.75'),
    step(3, '0', { outcome: 'conditions' }),
    step(4, '32.88'),
    step(5, '45'),
  ]
  expect(barValues([item('2191.81', '2281.81', steps, '-0.01')])).toEqual([
    ['base', '0', '2191.81', '2191.81', false],
    ['surcharge', '2191.81', '2269.69', '77.88', true],
    ['discount', '2269.69', '2203.94', '-65.75', false],
    ['surcharge', '2203.94', '2236.82', '32.88', false],
    ['surcharge', '2236.82', '2281.82', '45', false],
    ['rounding', '2281.82', '2281.81', '-0.01', false],
    ['total', '0', '2281.81', '2281.81', false],
  ])
})

it('adds processings to the articles', () => {
  const cut: QuoteItem = { ...item('14', '19', [step(6, '5')]), type: 'processing', processing_id: 1 }
  expect(barValues([item('57.1', '57.1', []), cut]).map(([kind, from, to]) => [kind, from, to])).toEqual([
    ['base', '0', '57.1'],
    ['base', '57.1', '71.1'],
    ['surcharge', '71.1', '76.1'],
    ['total', '0', '76.1'],
  ])
})
