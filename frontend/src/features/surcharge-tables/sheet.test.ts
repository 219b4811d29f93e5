import { describe, expect, it } from 'vitest'
import type { SurchargeValue } from '~/api/schema'
import { write } from '~/kit/spreadsheet/changes'
import { inputOf, ownValue, prefilled, refusalsOf, rowsOf, sentOf, tableColumns } from './sheet'

const value = (material: number, month: string, amount: string, base: string | null = null): SurchargeValue => ({
  material_id: material,
  article_type_id: null,
  name: `1.43${material}`,
  month,
  value: amount,
  base_table: base === null ? null : { id: 9, name: base },
})

const VALUES = [value(1, '2026-11', '1650'), value(1, '2026-12', '1700', 'Alle'), value(2, '2026-11', '0')]
const rows = rowsOf(VALUES, [{ id: 3, name: '1.4571' }])
const texts = { name: 'Werkstoff', month: (month: string) => month, elsewhere: () => null }
const columns = new Map(tableColumns(['2026-11', '2026-12'], texts, true).map((column) => [column.id, column]))

describe('rows', () => {
  it('are the materials that have values, then those that are being added', () => {
    expect(rows.map(({ id, name }) => [id, name])).toEqual([
      [1, '1.431'],
      [2, '1.432'],
      [3, '1.4571'],
    ])
    // a row that has values by now is none that is being added
    expect(rowsOf(VALUES, [{ id: 2, name: '1.432' }])).toHaveLength(2)
  })

  it('tell their own values from those of the table below', () => {
    const [row] = rows
    expect(row && [ownValue(row, '2026-11'), ownValue(row, '2026-12'), ownValue(row, '2027-01')]).toEqual(['1650', '', ''])
  })
})

describe('changes', () => {
  const cell = (at: number, month: string, text: string) => {
    const row = rows[at]
    if (!row) throw new Error('no such row')
    return { key: row.id, row, at, column: month, text }
  }
  const changes = write(
    new Map(),
    [
      cell(0, '2026-11', '1.680,50 €/t'),
      cell(0, '2026-12', '1700'),
      cell(1, '2026-11', ''),
      cell(2, '2026-12', '-1'),
      // as it is saved
      cell(1, '2026-12', ''),
    ],
    columns,
    'de',
  )
  const sent = sentOf(changes)

  it('are sent as single values; what is emptied is taken away, and what is taken over becomes its own', () => {
    expect(inputOf('material', sent)).toEqual([
      { material_id: 1, month: '2026-11', value: '1680.5' },
      { material_id: 1, month: '2026-12', value: '1700' },
      { material_id: 2, month: '2026-11', value: null },
    ])
    expect(inputOf('article_type', sent.slice(0, 1))).toEqual([{ article_type_id: 1, month: '2026-11', value: '1680.5' }])
  })

  it('below zero are no values', () => {
    expect(changes.get(3)?.cells.get('2026-12')?.value).toBeNull()
  })

  it('that are refused stand at their cells', () => {
    expect(refusalsOf({ 'values.2.month': ['Zu früh'], 'values.1.value': ['Zu groß', 'Zu genau'], version: ['alt'] }, sent)).toEqual([
      { key: 2, column: '2026-11', message: 'Zu früh' },
      { key: 1, column: '2026-12', message: 'Zu groß Zu genau' },
    ])
  })
})

it('takes over what a row has of the month before, unless it has a value', () => {
  expect(prefilled(rows, '2026-12', '2026-11').map(({ row, value: taken }) => [row.id, taken])).toEqual([[2, '0']])
  expect(prefilled(rows, '2027-01', '2026-12').map(({ row, value: taken }) => [row.id, taken])).toEqual([[1, '1700']])
})
