import { describe, expect, it } from 'vitest'
import { parseTsv } from '~/kit/sheet/tsv'
import { arrangeByHeadings } from './pasted-headings'

const UNITS = [
  { value: 't', label: 't' },
  { value: 'kg', label: 'kg' },
  { value: 'm', label: 'm' },
  { value: 'piece', label: 'St', names: ['Stück'] },
]
const arranged = (text: string) => arrangeByHeadings(parseTsv(text), UNITS, 'de')

describe('pasted columns', () => {
  it('are found by their headings, in any order and with others between them', () => {
    const result = arranged(
      'Bezeichnung\tME\tArt.-Nr.\tVK-Preis\tPreiseinheit\nHEB 200\tkg\tHEB-200\t92,50\t100\n\t\t\t\t\nHEB 220\tt\tHEB-220\t930\t1\n',
    )
    expect(result?.rows).toEqual([
      ['HEB-200', '92,50', '100', 'kg'],
      ['HEB-220', '930', '1', 't'],
    ])
    expect(result?.ignored).toEqual(['Bezeichnung'])
    expect(result?.recognized).toContainEqual({ part: 'price', heading: 'VK-Preis' })
  })

  it.each([
    ['Preis €/t', '1', 't'],
    ['Preis [EUR/100 kg]', '100', 'kg'],
    ['Preis je Stück', '1', 'piece'],
    ['Price per m', '1', 'm'],
  ])('take the unit from the heading of the price: %s', (heading, quantity, unit) => {
    expect(arranged(`Artikelnummer\t${heading}\nA\t9\n`)?.rows).toEqual([['A', '9', quantity, unit]])
  })

  it('keep the unit if they do not contain one', () => {
    expect(arranged('Artikel\tPreis\nA\t9\n')?.rows).toEqual([['A', '9', undefined, undefined]])
    expect(arranged('Preisliste 2027\n\nArtikel\tPreis\tPreiseinheit\nA\t9\tkg\n')?.rows).toEqual([['A', '9', undefined, 'kg']])
  })

  it('are data if there is no heading', () => {
    expect(arranged('HEB-200\t92,50\nPreis\t1\n')).toBeNull()
    expect(arranged('Artikel\t92,50\n')).toBeNull()
  })
})
