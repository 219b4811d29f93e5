import { expect, it } from 'vitest'
import type { LocatedCell } from './cells'
import type { Columns } from './changes'
import { decimalColumn } from './column'
import { singleCell } from './selection'
import { emptySheet, type SheetAction, type SheetState, sheetReducer } from './sheet-state'

interface Row {
  id: number
  price: string
}

const columns: Columns<Row> = new Map([
  ['price', decimalColumn<Row>({ id: 'price', header: 'Preis', width: 90, value: ({ price }) => price })],
])
const cell = (id: number, text: string) => ({ key: id, row: { id, price: '1' }, at: id, column: 'price', text })
const write = (...texts: [number, string][]): SheetAction<Row> => ({
  type: 'write',
  writes: texts.map(([id, text]) => cell(id, text)),
  selection: singleCell({ row: texts[0]?.[0] ?? 0, column: 0 }),
  columns,
  lang: 'de',
})
const undo: SheetAction<Row> = { type: 'undo' }
const redo: SheetAction<Row> = { type: 'redo' }
const after = (...actions: SheetAction<Row>[]): SheetState<Row> => actions.reduce(sheetReducer<Row>, emptySheet<Row>())
const priceTexts = (state: SheetState<Row>) => [...state.changes].map(([key, { cells }]) => `${key}=${cells.get('price')?.raw}`).join(' ')

it.each([
  ['nothing', [undo], ''],
  ['a cell', [write([1, '2']), undo], ''],
  ['the last of two', [write([1, '2']), write([1, '3']), undo], '1=2'],
  ['a paste as one', [write([1, '2']), write([1, '3'], [2, '4'], [3, 'x']), undo], '1=2'],
  ['and redoes it', [write([1, '2'], [2, '4']), undo, redo], '1=2 2=4'],
  ['a redone step', [write([1, '2']), write([1, '3']), undo, redo, undo], '1=2'],
  ['nothing that was overwritten after an undo', [write([1, '2']), undo, write([1, '5']), redo], '1=5'],
  ['a write of the original value', [write([1, '2']), write([1, '1']), undo], '1=2'],
  ['a discard', [write([1, '2']), { type: 'discard' }, undo], '1=2'],
  ['a step after a rebase without rows', [write([1, '2']), write([1, '3']), { type: 'rebase', rows: new Map(), columns }, undo], '1=2'],
] as [string, SheetAction<Row>[], string][])('undoes %s', (_, actions, expected) => expect(priceTexts(after(...actions))).toBe(expected))

it('keeps cells changed during a save, based on the saved rows', () => {
  const sent = after(write([1, '2'], [2, '3'], [3, '4']))
  const later = sheetReducer(sent, write([2, '9'], [4, '7']))
  const rows = new Map([1, 2, 3].map((id) => [id, { id, price: String(id + 1) }]))
  const saved = sheetReducer(later, { type: 'saved', sent: sent.changes, rows, columns })
  expect(priceTexts(saved)).toBe('2=9 4=7')
  expect(saved.changes.get(2)?.row.price).toBe('3')
  expect(priceTexts(sheetReducer(saved, undo))).toBe('2=9 4=7')
})

it('adds no undo step for a write that changes nothing', () => {
  expect(after(write([1, '1'])).past).toHaveLength(0)
  expect(after(write([1, '2']), write([1, '2'])).past).toHaveLength(1)
  expect(after(write([1, 'x']), write([1, 'x'])).past).toHaveLength(1)
})

it('restores the selection on undo and redo', () => {
  expect(
    after(write([4, '2']), { type: 'select', selection: singleCell({ row: 9, column: 0 }) }, write([9, '3']), undo).selection.active.row,
  ).toBe(9)
  expect(after(write([4, '2']), write([9, '3']), undo, undo, redo).selection.active.row).toBe(4)
})

it('stores a hundred steps', () => {
  const many = Array.from({ length: 120 }, (_, at) => write([1, String(at + 2)]))
  expect(after(...many).past).toHaveLength(100)
})

it('ends editing on any action', () => {
  const editing = after({ type: 'edit', cell: {} as LocatedCell<Row>, typed: '5' })
  expect(editing.editing).toMatchObject({ typed: '5' })
  for (const action of [
    write([1, '5']),
    { type: 'cancel' },
    { type: 'select', selection: singleCell({ row: 1, column: 0 }) },
  ] as SheetAction<Row>[]) {
    expect(sheetReducer(editing, action).editing).toBeNull()
  }
})
