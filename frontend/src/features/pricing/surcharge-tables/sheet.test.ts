import { describe, expect, it } from 'vitest'
import type { SurchargeValue } from '~/api/schema'
import { type Changes, write } from '~/kit/sheet/changes'
import {
  changedCells,
  ownValue,
  prefillValues,
  surchargeRefusals,
  surchargeRows,
  surchargeValueInputs,
  type TableRow,
  tableColumns,
} from './sheet'

const value = (material: number, month: string, amount: string, base: string | null = null): SurchargeValue => ({
  material_id: material,
  article_type_id: null,
  name: `1.43${material}`,
  month,
  value: amount,
  base_table: base === null ? null : { id: 9, name: base },
})

const VALUES = [value(1, '2026-11', '1650'), value(1, '2026-12', '1700', 'Alle'), value(2, '2026-11', '0')]
const rows = surchargeRows(VALUES, [{ id: 3, name: '1.4571' }])
const texts = { name: 'Werkstoff', month: (month: string) => month, inherited: () => null }
const columns = new Map(tableColumns(['2026-11', '2026-12'], texts, true).map((column) => [column.id, column]))

describe('rows', () => {
  it('are the materials that have values, then those that are being added', () => {
    expect(rows.map(({ id, name }) => [id, name])).toEqual([
      [1, '1.431'],
      [2, '1.432'],
      [3, '1.4571'],
    ])
    // a row that has values by now is no longer listed as added
    expect(surchargeRows(VALUES, [{ id: 2, name: '1.432' }])).toHaveLength(2)
  })

  it('distinguish their own values from those of the base table', () => {
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
      // same as the saved value
      cell(1, '2026-12', ''),
    ],
    columns,
    'de',
  )
  const sent = changedCells(changes)

  it('are sent as single values; cleared ones are removed, and inherited ones become own values', () => {
    expect(surchargeValueInputs('material', sent)).toEqual([
      { material_id: 1, month: '2026-11', value: '1680.5' },
      { material_id: 1, month: '2026-12', value: '1700' },
      { material_id: 2, month: '2026-11', value: null },
    ])
    expect(surchargeValueInputs('article_type', sent.slice(0, 1))).toEqual([{ article_type_id: 1, month: '2026-11', value: '1680.5' }])
  })

  it('contain no values below zero', () => {
    expect(changes.get(3)?.cells.get('2026-12')?.value).toBeNull()
  })

  it('have the errors of the server at their cells', () => {
    expect(surchargeRefusals({ 'values.2.month': ['Zu früh'], 'values.1.value': ['Zu groß', 'Zu genau'], version: ['alt'] }, sent)).toEqual(
      [
        { key: 2, column: '2026-11', message: 'Zu früh' },
        { key: 1, column: '2026-12', message: 'Zu groß Zu genau' },
      ],
    )
  })
})

it('copies the value of the previous month, saved or entered, unless there is one', () => {
  const prefills = (month: string, from: string, changes: Changes<TableRow> = new Map()) =>
    prefillValues(rows, changes, month, from).map(({ row, value: amount }) => [row.id, amount])
  expect(prefills('2026-12', '2026-11')).toEqual([[2, '0']])
  expect(prefills('2027-01', '2026-12')).toEqual([[1, '1700']])
  const entered = (texts: [number, string, string][]) =>
    write<TableRow>(
      new Map(),
      texts.flatMap(([id, column, text]) => {
        const at = rows.findIndex((row) => row.id === id)
        const row = rows[at]
        return row ? [{ key: id, row, at, column, text }] : []
      }),
      columns,
      'de',
    )
  // entered values count, removed ones do not, and unreadable ones stay
  expect(prefills('2026-12', '2026-11', entered([[3, '2026-11', '42,5']]))).toEqual([
    [2, '0'],
    [3, '42.5'],
  ])
  expect(prefills('2026-12', '2026-11', entered([[2, '2026-11', '']]))).toEqual([])
  expect(prefills('2026-12', '2026-11', entered([[2, '2026-12', 'abc']]))).toEqual([])
})
