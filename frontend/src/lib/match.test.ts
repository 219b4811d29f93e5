import { expect, it } from 'vitest'
import { ranked, score } from './match'

it.each([
  ['art', 'Artikel', '', 3],
  ['typen', 'Neue Typen', '', 2],
  ['ARTIKEL neu', 'Neuer Artikel', '', 2],
  ['güten', 'Werkstoffe', 'steel Güten', 1],
  ['guten', 'Werkstoffe', 'steel Güten', 1],
  ['grosse', 'Größe', '', 3],
  ['groß', 'Grosshandel', '', 3],
  ['tikel', 'Artikel', '', 0],
  ['artikel xyz', 'Artikel', '', 0],
])('%s in %s (%s): %i', (query, label, synonyms, expected) => {
  expect(score(query, label, synonyms)).toBe(expected)
})

it('sorts best matches first, and keeps the order while nothing is typed', () => {
  const items = ['Handelslängen', 'Neuer Artikel', 'Artikeltypen', 'Artikel']
  expect(ranked('artikel', items, (item) => [item])).toEqual(['Artikel', 'Artikeltypen', 'Neuer Artikel'])
  expect(ranked(' ', items, (item) => [item])).toEqual(items)
})
