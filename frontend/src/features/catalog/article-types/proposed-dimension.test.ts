import { expect, it } from 'vitest'
import { measurableDimensions, proposedDimension } from './proposed-dimension'

it.each([
  ['Länge', 'length', [], 'length'],
  ['WANDSTÄRKE', 'length', [], 'thickness'],
  ['wall thickness', 'length', ['length'], 'thickness'],
  ['Länge', 'length', ['length'], ''],
  ['Länge', 'mass', [], ''],
  ['Oberfläche', null, [], ''],
  ['Länge über alles', 'length', [], ''],
] as const)('%s of %s, with %j taken: %s', (name, unit_category, usedDimensions, proposed) => {
  expect(proposedDimension({ name, type: 'metric', unit_category, options: [] }, usedDimensions)).toBe(proposed)
})

const options = (...values: string[]) =>
  values.map((value, id) => ({ id, name: value, value, display_value: null, weight_per_base_unit: null }))

it.each([
  ['Format', ['1000x2000', '1250 x 2500 mm', '1 m x 2,5 m'], [], 'format'],
  ['Format', ['1000x2000'], ['length'], ''],
  ['Format', ['GF', '1000x2000'], [], ''],
  ['Länge', ['6000', '12 m'], [], 'length'],
  ['Länge', ['kurz', '6000'], [], ''],
] as const)('%s with options %j, with %j taken: %s', (name, values, usedDimensions, proposed) => {
  expect(proposedDimension({ name, type: 'categorial', unit_category: null, options: options(...values) }, usedDimensions)).toBe(proposed)
})

it('offers the dimensions that numbers of a unit category can measure', () => {
  const offered = (unit_category: 'mass' | 'area' | 'length' | 'volume') =>
    measurableDimensions({ type: 'metric', unit_category, options: [] })
  expect(offered('mass')).toEqual(['piece_weight'])
  expect(offered('area')).toEqual(['piece_area'])
  expect(offered('length')).toContain('width')
  expect(offered('length')).not.toContain('format')
  expect(offered('volume')).toEqual([])
})
