import { describe, expect, it } from 'vitest'
import type { ImportColumn, ImportInspection } from '~/api/schema'
import { findings, mappingOf, meanings } from './mapping'

const column = (name: string, recognised: string | null, more: Partial<ImportColumn> = {}): ImportColumn => ({
  name,
  field: recognised,
  recognised,
  recognised_by: recognised && name,
  unread: false,
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
  notes: [],
  columns,
  sample_lines: [2],
  fields: [],
  required: [['article_number', 'external_article_number'], ['warehouse'], ['quantity']],
  together: [['article_number', 'external_article_number']],
  problems: [],
  remembered: null,
  better_type: null,
})

describe('the mapping', () => {
  it('says nothing where the names of the columns say all', () => {
    expect(mappingOf([column('Lager', 'warehouse'), column('Zeile', null, { unread: true })], {})).toBeNull()
  })

  it('names all columns but those that an error file has added, as soon as one differs', () => {
    expect(mappingOf(COLUMNS, { 1: 'external_article_number' })).toEqual([
      { column: 'Artikelnummer', field: 'article_number' },
      { column: 'Art. alt', field: 'external_article_number' },
      { column: 'Lager', field: 'warehouse' },
    ])
  })

  it('leaves out what is not recognised, and sends again what is remembered', () => {
    expect(mappingOf(COLUMNS, {})?.[1]).toEqual({ column: 'Art. alt', field: null })
    const remembered = COLUMNS.map((one) => (one.name === 'Art. alt' ? { ...one, field: 'quantity' } : one))
    expect(mappingOf(remembered, {})?.[1]).toEqual({ column: 'Art. alt', field: 'quantity' })
  })

  it('takes a choice before what was found', () => {
    expect(meanings(COLUMNS, { 0: null, 1: 'article_number' })).toEqual([null, 'article_number', 'warehouse', null])
  })
})

describe('what does not fit', () => {
  it('is said of missing fields, of fields that come together, and of columns that nobody reads', () => {
    const { missing, twins, unused } = findings(inspection(COLUMNS), {})
    expect(missing).toEqual([['quantity'], ['external_article_number']])
    expect(unused).toEqual([1])
    expect(twins.size).toBe(0)
  })

  it('is said at both columns of one field', () => {
    const { twins } = findings(inspection(COLUMNS), { 1: 'article_number' })
    expect([...twins]).toEqual([
      [0, 1],
      [1, 0],
    ])
  })
})
