import { describe, expect, it } from 'vitest'
import { blockOf, type CellSelection, selectByKey, selectByTab, singleCell, sizeOf } from './selection'

const EXTENT = { rows: 100, columns: 5, page: 10 }
const at = (row: number, column: number) => singleCell({ row, column })
const from = (row: number, column: number, toRow: number, toColumn: number): CellSelection => ({
  active: { row, column },
  head: { row: toRow, column: toColumn },
})

describe('selectByKey', () => {
  it.each([
    ['ArrowDown', at(3, 2), at(4, 2)],
    ['ArrowUp', at(0, 2), at(0, 2)],
    ['ArrowLeft', at(3, 0), at(3, 0)],
    ['ArrowRight', at(3, 2), at(3, 3)],
    ['Ctrl+ArrowDown', at(3, 2), at(99, 2)],
    ['Ctrl+ArrowLeft', at(3, 2), at(3, 0)],
    ['PageDown', at(3, 2), at(13, 2)],
    ['PageDown', at(95, 2), at(99, 2)],
    ['PageUp', at(3, 2), at(0, 2)],
    ['Home', at(3, 2), at(3, 0)],
    ['End', at(3, 2), at(3, 4)],
    ['Ctrl+Home', at(3, 2), at(0, 0)],
    ['Ctrl+End', at(3, 2), at(99, 4)],
    ['Shift+ArrowDown', at(3, 2), from(3, 2, 4, 2)],
    ['Shift+ArrowRight', from(3, 2, 4, 2), from(3, 2, 4, 3)],
    ['Shift+ArrowUp', from(3, 2, 4, 2), at(3, 2)],
    ['Ctrl+Shift+End', at(3, 2), from(3, 2, 99, 4)],
    // from the active cell, not from the block's other corner
    ['ArrowDown', from(3, 2, 8, 4), at(4, 2)],
    ['Ctrl+a', at(3, 2), from(0, 0, 99, 4)],
    ['Shift+ ', from(3, 2, 5, 3), from(3, 0, 5, 4)],
    ['Ctrl+ ', at(3, 2), from(0, 2, 99, 2)],
  ])('%s from %j', (keys, selection, expected) => {
    const key = keys.split('+').at(-1) ?? ''
    const pressed = { key, shift: keys.includes('Shift+'), ctrl: keys.includes('Ctrl+') }
    expect(selectByKey(selection, pressed, EXTENT)).toEqual(expected)
  })

  it.each(['x', 'Enter', 'Tab', 'F2'])('ignores %s', (key) => {
    expect(selectByKey(at(3, 2), { key, shift: false, ctrl: false }, EXTENT)).toBeNull()
  })
})

it.each([
  [at(3, 2), false, at(3, 3)],
  [at(3, 4), false, at(4, 0)],
  [at(3, 0), true, at(2, 4)],
  [at(99, 4), false, null],
  [at(0, 0), true, null],
])('Tab from %j, back: %s', (selection, back, expected) => expect(selectByTab(selection, back, EXTENT)).toEqual(expected))

it('is the same block from any corner', () => {
  const block = { top: 3, bottom: 5, left: 1, right: 2 }
  expect([blockOf(from(3, 1, 5, 2)), blockOf(from(5, 2, 3, 1)), blockOf(from(5, 1, 3, 2))]).toEqual([block, block, block])
  expect(sizeOf(block)).toEqual({ rows: 3, columns: 2 })
})
