import { expect, it } from 'vitest'
import { renamePlaceholders } from './placeholder-words'

const words = new Map([['material', 'werkstoff']])

it.each([
  ['HEB-{hoehe}-{material}', 'HEB-{hoehe}-{werkstoff}'],
  ['{material:mm:0}', '{werkstoff:mm:0}'],
  ['{{material}}', '{{material}}'],
  ['{{{material}', '{{{werkstoff}'],
  ['{materials} material {material', '{materials} material {material'],
])('%s: %s', (template, expected) => {
  expect(renamePlaceholders(template, words)).toBe(expected)
})
