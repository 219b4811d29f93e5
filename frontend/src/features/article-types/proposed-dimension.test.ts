import { expect, it } from 'vitest'
import { proposedDimension } from './proposed-dimension'

it.each([
  ['Länge', 'length', [], 'length'],
  ['WANDSTÄRKE', 'length', [], 'thickness'],
  ['wall thickness', 'length', ['length'], 'thickness'],
  ['Länge', 'length', ['length'], ''],
  ['Länge', 'mass', [], ''],
  ['Oberfläche', null, [], ''],
  ['Länge über alles', 'length', [], ''],
] as const)('%s of %s, with %j taken: %s', (name, unit_category, taken, proposed) => {
  expect(proposedDimension({ name, unit_category }, taken)).toBe(proposed)
})
