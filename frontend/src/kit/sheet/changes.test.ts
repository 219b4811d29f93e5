import { describe, expect, it } from 'vitest'
import { readPrice } from '~/lib/reader'
import type { Changes, Columns } from './changes'
import { countChanged, currentValue, faultsOf, isUnreadable, rebase, refuse, removeRows, write } from './changes'
import { choiceColumn, decimalColumn, type SheetColumn, textColumn } from './column'

interface Row {
  id: number
  name: string
  price: string | null
  per: string
  unit: string | null
}

const list: SheetColumn<Row>[] = [
  textColumn<Row>({ id: 'name', header: 'Name', width: 100, value: ({ name }) => name }),
  decimalColumn<Row>({
    id: 'price',
    header: 'Preis',
    width: 100,
    value: ({ price }) => price,
    min: 0,
    before: 8,
    after: 4,
    read: (text, lang) => readPrice(text, lang, [])?.amount ?? null,
    splitText: (text) => {
      const [, price, per, unit] = /^(.+)\/\s*(\d+)\s*(\w+)$/.exec(text) ?? []
      return price && per && unit ? { price, per, unit } : null
    },
  }),
  decimalColumn<Row>({ id: 'per', header: 'je', width: 60, value: ({ per }) => per, required: true, above: 0 }),
  choiceColumn<Row>({
    id: 'unit',
    header: 'Einheit',
    width: 60,
    value: ({ unit }) => unit,
    choices: [
      { value: 'gram', label: 'g', names: ['Gramm'] },
      { value: 'kilogram', label: 'kg', names: ['Kilo'] },
      { value: 'metre', label: 'm' },
    ],
  }),
]
const columns: Columns<Row> = new Map(list.map((column) => [column.id, column]))
const beam: Row = { id: 7, name: 'HEB 200', price: '850.0000', per: '1', unit: 'kilogram' }
const put = (changes: Changes<Row>, column: string, text: string, row = beam) =>
  write(changes, [{ key: row.id, row, at: row.id, column, text }], columns, 'de')
const none: Changes<Row> = new Map()

describe('a text becomes', () => {
  it.each([
    ['price', '1.234,50', '1234.5'],
    ['price', '1234.5', '1234.5'],
    ['price', '900,00 €', '900'],
    ['price', '900,00\u00a0€', '900'],
    ['price', 'EUR 900', '900'],
    ['price', '', ''],
    ['unit', 'm', 'metre'],
    ['unit', 'METRE', 'metre'],
    ['unit', 'm ', 'metre'],
    ['unit', 'gramm', 'gram'],
    ['unit', '', ''],
  ])('%s %j: %j', (column, text, value) => {
    expect(put(none, column, text).get(7)?.cells.get(column)).toEqual({ raw: text, value })
  })

  it.each([
    ['price', 'auf Anfrage', 'decimal'],
    ['price', '-1', 'notLess?min=0'],
    ['price', '1,23456', 'digits?before=8&after=4'],
    ['per', '', 'required'],
    ['per', '0', 'greaterThan?min=0'],
    ['per', '-1', 'greaterThan?min=0'],
    ['price', '-0,0001', 'notLess?min=0'],
    ['unit', 'Pfund', 'invalid'],
  ])('an error in %s: %j', (column, text, message) => {
    expect(put(none, column, text).get(7)?.cells.get(column)).toEqual({ raw: text, value: null, error: { type: 'input', message } })
    expect(isUnreadable(put(none, column, text))).toBe(true)
  })

  it('several cells if it has several values', () => {
    const cells = put(none, 'price', '92,50 €/100 m').get(7)?.cells
    expect([...(cells ?? [])].map(([id, { value }]) => [id, value])).toEqual([
      ['price', '92.5'],
      ['per', '100'],
      ['unit', 'metre'],
    ])
  })

  it('nothing in read-only columns and in locked cells', () => {
    expect(put(none, 'name', 'IPE')).toEqual(none)
    const locked = new Map(columns).set('price', { ...(columns.get('price') as SheetColumn<Row>), locked: () => true })
    expect(write(none, [{ key: 7, row: beam, at: 7, column: 'price', text: '1' }], locked, 'de')).toEqual(none)
  })
})

it('ignores a value that equals the saved one', () => {
  expect(put(none, 'price', '850,00')).toEqual(none)
  expect(put(put(none, 'price', '900'), 'price', '850')).toEqual(none)
  expect(put(put(none, 'price', 'x'), 'price', '850')).toEqual(none)
})

it('does not modify its input', () => {
  const first = put(none, 'price', '900')
  put(first, 'per', '100')
  expect(first.get(7)?.cells.size).toBe(1)
})

it('returns current values and counts changed cells', () => {
  const changes = put(put(none, 'price', '900'), 'unit', 'Pfund')
  const change = changes.get(7)
  expect(change && list.map((column) => currentValue(change, column))).toEqual(['HEB 200', '900', '1', 'kilogram'])
  expect(countChanged(changes, columns)).toBe(2)
})

describe('errors of the server', () => {
  const tube: Row = { ...beam, id: 3, name: 'Rohr' }
  const sent = put(put(none, 'price', '900'), 'price', '1', tube)

  it('are at their cells, even unchanged ones, in reading order', () => {
    const refused = refuse(
      sent,
      [
        { key: 7, column: 'unit', message: 'Ohne Gewicht keine Masse' },
        { key: 7, column: 'price', message: 'Unter Einkauf' },
        { key: 3, column: null, message: 'Inzwischen geändert' },
        { key: 99, column: 'price', message: 'wurde nicht gesendet' },
      ],
      columns,
    )
    expect(faultsOf(refused, columns)).toEqual([
      { key: 3, at: 3, column: null },
      { key: 7, at: 7, column: 'price' },
      { key: 7, at: 7, column: 'unit' },
    ])
    expect(refused.get(7)?.cells.get('unit')).toMatchObject({ value: 'kilogram', error: { type: 'server' } })
    expect([countChanged(refused, columns), isUnreadable(refused)]).toEqual([2, false])
  })

  it('are cleared by the next answer and by new input', () => {
    const refused = refuse(sent, [{ key: 7, column: 'price', message: 'Unter Einkauf' }], columns)
    expect(faultsOf(refuse(refused, [], columns), columns)).toEqual([])
    expect(faultsOf(put(refused, 'price', '901'), columns)).toEqual([])
  })
})

it('rebases on rows that another person has saved', () => {
  const changes = put(put(none, 'price', '900'), 'per', '100')
  const theirs = rebase(changes, new Map([[7, { ...beam, price: '900', unit: 'metre' }]]), columns)
  expect([...(theirs.get(7)?.cells.keys() ?? [])]).toEqual(['per'])
  expect(theirs.get(7)?.row.unit).toBe('metre')
  expect(rebase(changes, new Map([[7, { ...beam, price: '900', per: '100' }]]), columns)).toEqual(none)
})

it('removes saved rows', () => expect(removeRows(put(none, 'price', '900'), [7])).toEqual(none))
