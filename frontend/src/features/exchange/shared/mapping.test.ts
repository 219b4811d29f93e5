import { describe, expect, it } from 'vitest'
import type { ImportColumn, ImportInspection } from '~/api/schema'
import { columnFields, findings, mappingOf } from './mapping'

const column = (name: string, recognised: string | null, more: Partial<ImportColumn> = {}): ImportColumn => ({
  name,
  field: recognised,
  recognised,
  recognised_by: recognised && name,
  unread: false,
  heading_unit: null,
  chosen_unit: null,
  measure: null,
  suggestion: null,
  samples: [],
  ...more,
})

const COLUMNS = [
  column('Artikelnummer', 'article_number'),
  column('Art. alt', null),
  column('Lager', 'warehouse'),
  column('Fehler', null, { unread: true }),
]

const inspection = (columns: ImportColumn[]): ImportInspection => ({
  type: 'Stock',
  format: 'csv',
  encoding: 'UTF-8',
  delimiter: ';',
  decimal_sign: ',',
  header_line: 1,
  rows: 1,
  hidden_rows: 0,
  notes: [],
  columns,
  sheets: [],
  sheet: null,
  sum_rows: 0,
  footnotes: [],
  profile: null,
  can_sum_rows: false,
  sample_lines: [2],
  fields: [],
  required: [['article_number', 'external_article_number'], ['warehouse'], ['quantity']],
  together: [['article_number', 'external_article_number']],
  problems: [],
  remembered: null,
  better_type: null,
})

describe('the mapping', () => {
  it('is empty if all columns are recognised by name', () => {
    expect(mappingOf(inspection([column('Lager', 'warehouse'), column('Zeile', null, { unread: true })]), {}, {})).toBeNull()
  })

  it('names all columns but those that an error file has added, once one differs', () => {
    expect(mappingOf(inspection(COLUMNS), { 1: 'external_article_number' }, {})).toEqual([
      { column: 'Artikelnummer', field: 'article_number' },
      { column: 'Art. alt', field: 'external_article_number' },
      { column: 'Lager', field: 'warehouse' },
    ])
  })

  it('omits unrecognised columns, and sends remembered ones again', () => {
    expect(mappingOf(inspection(COLUMNS), {}, {})?.[1]).toEqual({ column: 'Art. alt', field: null })
    const remembered = COLUMNS.map((one) => (one.name === 'Art. alt' ? { ...one, field: 'quantity' } : one))
    expect(mappingOf(inspection(remembered), {}, {})?.[1]).toEqual({ column: 'Art. alt', field: 'quantity' })
  })

  it('prefers a choice to a recognised field', () => {
    expect(columnFields(COLUMNS, { 0: null, 1: 'article_number' })).toEqual([null, 'article_number', 'warehouse', null])
  })
})

describe('mismatches', () => {
  it('include missing fields, fields that belong together, and unread columns', () => {
    const { missing, duplicates, unused } = findings(inspection(COLUMNS), {}, {})
    expect(missing).toEqual([['quantity'], ['external_article_number']])
    expect(unused).toEqual([1])
    expect(duplicates.size).toBe(0)
  })

  it('are reported at both columns of one field', () => {
    const { duplicates } = findings(inspection(COLUMNS), { 1: 'article_number' }, {})
    expect([...duplicates]).toEqual([
      [0, 1],
      [1, 0],
    ])
  })
})

describe('the price unit of a column', () => {
  const priced = (more: Partial<ImportColumn>): ImportInspection => ({
    ...inspection([column('Preis [Banane]', 'price', { heading_unit: 'Banane', ...more })]),
    fields: [
      { key: 'price', label: 'Preis', help: null, synonyms: [], unit: 'price' },
      { key: 'article_number', label: 'Artikelnummer', help: null, synonyms: [], unit: null },
    ],
    problems: [{ code: 'column_refused', column: 'Preis [Banane]', message: '„Banane“ ist keine Einheit' }],
  })

  it('is sent as it was chosen or remembered', () => {
    expect(mappingOf(priced({}), {}, {})).toBeNull()
    expect(mappingOf(priced({}), {}, { 0: '100 kg' })).toEqual([{ column: 'Preis [Banane]', field: 'price', unit: '100 kg' }])
    expect(mappingOf(priced({ chosen_unit: '1 t' }), {}, {})).toEqual([{ column: 'Preis [Banane]', field: 'price', unit: '1 t' }])
    expect(mappingOf(priced({}), { 0: 'article_number' }, { 0: '100 kg' })).toEqual([{ column: 'Preis [Banane]', field: 'article_number' }])
  })

  it('is an error of the column until another choice is made', () => {
    expect([...findings(priced({}), {}, {}).refused]).toEqual([[0, '„Banane“ ist keine Einheit']])
    expect(findings(priced({}), {}, { 0: '1 t' }).refused.size).toBe(0)
    expect(findings(priced({}), { 0: null }, {}).refused.size).toBe(0)
  })
})
