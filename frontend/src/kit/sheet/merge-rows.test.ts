import { describe, expect, it } from 'vitest'
import { type Changes, write } from './changes'
import { choiceColumn, decimalColumn, type SheetColumn, textColumn } from './column'
import { choose, conflictsOf, mergeRows } from './merge-rows'

interface Row {
  id: number
  price: string
  per: string
  unit: string
  note: string
}

const GROUP = { group: 'price' }
const list: SheetColumn<Row>[] = [
  textColumn<Row>({ id: 'name', header: 'Artikel', width: 10, value: ({ id }) => String(id) }),
  { ...decimalColumn<Row>({ id: 'price', header: 'Preis', width: 10, value: ({ price }) => price }), ...GROUP },
  { ...decimalColumn<Row>({ id: 'per', header: 'je', width: 10, value: ({ per }) => per }), ...GROUP },
  {
    ...choiceColumn<Row>({
      id: 'unit',
      header: 'Einheit',
      width: 10,
      value: ({ unit }) => unit,
      choices: ['t', 'kg'].map((value) => ({ value, label: value })),
    }),
    ...GROUP,
  },
  decimalColumn<Row>({ id: 'note', header: 'Zuschlag', width: 10, value: ({ note }) => note }),
]
const columns = new Map(list.map((column) => [column.id, column]))
const base: Row = { id: 7, price: '850', per: '1', unit: 't', note: '5' }

const typed = (...cells: [string, string][]) =>
  write<Row>(
    new Map(),
    cells.map(([column, text]) => ({ key: 7, row: base, at: 0, column, text })),
    columns,
    'de',
  )
const mergeTheirs = (changes: Changes<Row>, theirs: Partial<Row>) => mergeRows(changes, new Map([[7, { ...base, ...theirs }]]), columns)
const values = (changes: Changes<Row>) => {
  const change = changes.get(7)
  return change && Object.fromEntries([...change.cells].map(([id, { value }]) => [id, value]))
}

describe('a row that another person has changed meanwhile', () => {
  it('has our own, their and the former value if both have changed the same cell', () => {
    const merged = mergeTheirs(typed(['price', '900']), { price: '877' })
    expect(merged.get(7)?.cells.get('price')).toMatchObject({ value: '900', conflict: { theirs: '877', base: '850' } })
    expect(conflictsOf(merged, columns)).toEqual([{ key: 7, group: 'price' }])
  })

  it('has no conflict if both have changed different cells, or to the same value', () => {
    const other = mergeTheirs(typed(['price', '900']), { note: '6' })
    expect(conflictsOf(other, columns)).toEqual([])
    expect([values(other), other.get(7)?.row.note]).toEqual([{ price: '900' }, '6'])
    expect(mergeTheirs(typed(['price', '900']), { price: '900' })).toEqual(new Map())
  })

  it('never puts my amount beside their unit', () => {
    const merged = mergeTheirs(typed(['price', '900']), { price: '87', per: '100', unit: 'kg' })
    expect(conflictsOf(merged, columns)).toHaveLength(1)
    const [choice] = conflictsOf(merged, columns)
    if (!choice) throw new Error('nothing to choose')
    expect(values(choose(merged, [choice], 'mine', columns))).toEqual({ price: '900', per: '1', unit: 't' })
    expect(choose(merged, [choice], 'theirs', columns)).toEqual(new Map())
  })

  it('is resolved by typing into the cell', () => {
    const merged = mergeTheirs(typed(['price', '900']), { price: '87', per: '100' })
    const row = merged.get(7)?.row as Row
    const again = write(merged, [{ key: 7, row, at: 0, column: 'price', text: '910' }], columns, 'de')
    expect(conflictsOf(again, columns)).toEqual([])
    expect(values(again)).toEqual({ price: '910', per: '1' })
  })

  it('is resolved for each group independently', () => {
    const two: Changes<Row> = new Map([...mergeTheirs(typed(['price', '900'], ['note', '8']), { price: '877', note: '9' })])
    expect(conflictsOf(two, columns)).toHaveLength(2)
    const chosen = choose(two, [{ key: 7, group: 'note' }], 'theirs', columns)
    expect(conflictsOf(chosen, columns)).toEqual([{ key: 7, group: 'price' }])
    expect(values(choose(chosen, conflictsOf(chosen, columns), 'mine', columns))).toEqual({ price: '900' })
  })

  it('keeps an invalid text until the conflict is resolved', () => {
    const merged = mergeTheirs(typed(['price', 'auf Anfrage']), { price: '877' })
    expect(merged.get(7)?.cells.get('price')).toMatchObject({ raw: 'auf Anfrage', value: null, conflict: { theirs: '877' } })
  })
})
