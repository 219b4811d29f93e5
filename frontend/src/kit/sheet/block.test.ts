import { describe, expect, it } from 'vitest'
import { type Copied, fillDown, fillTo, placeClip, stretch } from './block'
import type { Block } from './selection'

const block = (top: number, left: number, bottom: number, right: number): Block => ({ top, left, bottom, right })
const short = (copied: Copied[]) => copied.map(({ from, to }) => `${from.row}/${from.column}>${to.row}/${to.column}`)

it.each([
  [block(2, 1, 4, 1), ['2/1>3/1', '2/1>4/1']],
  [block(2, 1, 3, 2), ['2/1>3/1', '2/2>3/2']],
  [block(2, 1, 2, 2), ['1/1>2/1', '1/2>2/2']],
  [block(0, 1, 0, 1), []],
])('fills %j down', (source, expected) => expect(short(fillDown(source))).toEqual(expected))

it.each([
  [{ row: 7, column: 1 }, block(2, 1, 7, 2)],
  [{ row: 0, column: 1 }, block(0, 1, 3, 2)],
  [{ row: 3, column: 4 }, block(2, 1, 3, 4)],
  [{ row: 3, column: 0 }, block(2, 0, 3, 2)],
  [{ row: 9, column: 4 }, block(2, 1, 9, 2)],
  [{ row: 2, column: 2 }, block(2, 1, 3, 2)],
])('the fill handle pulled to %j', (to, expected) => expect(stretch(block(2, 1, 3, 2), to)).toEqual(expected))

it.each([
  [block(2, 1, 3, 1), block(2, 1, 6, 1), ['2/1>4/1', '3/1>5/1', '2/1>6/1']],
  [block(2, 1, 3, 1), block(0, 1, 3, 1), ['2/1>0/1', '3/1>1/1']],
  [block(2, 1, 2, 1), block(2, 1, 2, 3), ['2/1>2/2', '2/1>2/3']],
])('repeats %j over %j', (from, target, expected) => expect(short(fillTo(from, target))).toEqual(expected))

describe('place', () => {
  const EXTENT = { rows: 5, columns: 4, page: 5 }
  const texts = (clip: string[][], at: Block) => {
    const { cells, overflow } = placeClip(clip, at, EXTENT)
    return [cells.map(({ at: { row, column }, text }) => `${row}/${column}=${text}`).join(' '), overflow.rows, overflow.columns]
  }

  it.each([
    ['a cell', [['a']], block(1, 1, 1, 1), ['1/1=a', 0, 0]],
    ['a cell into a block', [['a']], block(1, 1, 2, 2), ['1/1=a 1/2=a 2/1=a 2/2=a', 0, 0]],
    ['a row into two', [['a', 'b']], block(1, 1, 2, 2), ['1/1=a 1/2=b 2/1=a 2/2=b', 0, 0]],
    ['more than is selected', [['a'], ['b']], block(1, 1, 1, 1), ['1/1=a 2/1=b', 0, 0]],
    ['less than is selected', [['a'], ['b']], block(1, 1, 3, 1), ['1/1=a 2/1=b', 0, 0]],
    ['more rows than there are', [['a'], ['b'], ['c']], block(4, 0, 4, 0), ['4/0=a', 2, 0]],
    ['more columns than there are', [['a', 'b', 'c']], block(0, 2, 0, 2), ['0/2=a 0/3=b', 0, 1]],
    ['rows of unequal length', [['a', 'b'], ['c']], block(0, 0, 0, 0), ['0/0=a 0/1=b 1/0=c', 0, 0]],
  ] as const)('%s', (_, clip, at, expected) =>
    expect(
      texts(
        clip.map((row) => [...row]),
        at,
      ),
    ).toEqual(expected),
  )
})
