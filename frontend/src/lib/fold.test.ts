import { expect, it } from 'vitest'
import { fold } from './fold'

it.each([
  ['Träger', 'trager'],
  ['TRÄGER', 'trager'],
  ['Tra\u0308ger', 'trager'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['  IPE \t 80 ', 'ipe 80'],
  ['m²', 'm2'],
  ['', ''],
])('folds "%s" like the server', (text, folded) => {
  expect(fold(text)).toBe(folded)
})
