import { describe, expect, it } from 'vitest'
import { dropPlace, forest, isWithin, type MoveDirection, moveItem, pathOf, positionOf, rows, step, withAncestors, type Zone } from './tree'

// 1 long: 2 beams (3 HEB, 4 IPE), 5 bars; 6 flat; 7 tubes
const LIST = [
  { id: 1, parent_id: null },
  { id: 6, parent_id: null },
  { id: 2, parent_id: 1 },
  { id: 3, parent_id: 2 },
  { id: 5, parent_id: 1 },
  { id: 4, parent_id: 2 },
  { id: 7, parent_id: null },
]
const tree = forest(LIST)
const all = rows(tree, () => true)
const ids = (list: { item: { id: number } }[]) => list.map(({ item }) => item.id)
const drawn = (list: readonly (typeof LIST)[number][]) =>
  rows(forest(list), () => true).map(({ item, level }) => '.'.repeat(level - 1) + item.id)

it('lists visible entries with their positions', () => {
  expect(ids(all)).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(all[3]).toMatchObject({ level: 3, position: 2, siblingCount: 2, open: null })
  expect(ids(rows(tree, (id) => id === 1))).toEqual([1, 2, 5, 6, 7])
  expect(rows(tree, () => false).map(({ open }) => open)).toEqual([false, null, null])
})

it('lists matches with their ancestors', () => {
  const only = withAncestors(tree, ({ id }) => id === 4 || id === 6)
  const visibleRows = rows(tree, () => true, only)
  expect(ids(visibleRows)).toEqual([1, 2, 4, 6])
  expect(visibleRows[2]).toMatchObject({ position: 1, siblingCount: 1 })
})

it('supports any depth', () => {
  const deep = Array.from({ length: 20_000 }, (_, id) => ({ id, parent_id: id === 0 ? null : id - 1 }))
  expect(rows(forest(deep), () => true).at(-1)).toMatchObject({ level: 20_000 })
  expect(pathOf(forest(deep), 19_999)).toHaveLength(20_000)
})

it('finds ancestors, paths and positions', () => {
  expect([isWithin(tree, 4, 1), isWithin(tree, 1, 1), isWithin(tree, 1, 4), isWithin(tree, 6, 1)]).toEqual([true, true, false, false])
  expect(pathOf(tree, 4).map(({ id }) => id)).toEqual([1, 2, 4])
  expect(positionOf(tree, 3)).toEqual({ parent_id: 2, before_id: 4 })
})

describe('a step', () => {
  it.each<[number, MoveDirection, string[] | null]>([
    [4, 'up', ['1', '.2', '..4', '..3', '.5', '6', '7']],
    [3, 'down', ['1', '.2', '..4', '..3', '.5', '6', '7']],
    [1, 'down', ['6', '1', '.2', '..3', '..4', '.5', '7']],
    [3, 'up', null],
    [7, 'down', null],
    [5, 'indent', ['1', '.2', '..3', '..4', '..5', '6', '7']],
    [2, 'indent', null],
    [3, 'outdent', ['1', '.2', '..4', '.3', '.5', '6', '7']],
    [5, 'outdent', ['1', '.2', '..3', '..4', '5', '6', '7']],
    [7, 'outdent', null],
  ])('%i %s', (id, direction, expected) => {
    const place = step(tree, id, direction)
    expect(place && drawn(moveItem(LIST, id, place))).toEqual(expected)
  })

  it('is undone by moving to the earlier position', () => {
    for (const { id } of LIST) {
      for (const direction of ['up', 'down', 'indent', 'outdent'] as const) {
        const place = step(tree, id, direction)
        if (place) expect(drawn(moveItem(moveItem(LIST, id, place), id, positionOf(tree, id)))).toEqual(drawn(LIST))
      }
    }
  })
})

describe('dropPlace', () => {
  const row = (id: number, open: boolean | null = null) => {
    const match = all.find(({ item }) => item.id === id)
    if (!match) throw new Error(`no ${id}`)
    return open === null ? match : { ...match, open }
  }
  it.each<[number, ReturnType<typeof row>, Zone, string[] | null]>([
    [7, row(2), 'inside', ['1', '.2', '..3', '..4', '..7', '.5', '6']],
    [7, row(3), 'before', ['1', '.2', '..7', '..3', '..4', '.5', '6']],
    [7, row(4), 'after', ['1', '.2', '..3', '..4', '..7', '.5', '6']],
    // behind an open entry means before its first child, behind a closed one means after it
    [7, row(2, true), 'after', ['1', '.2', '..7', '..3', '..4', '.5', '6']],
    [7, row(2, false), 'after', ['1', '.2', '..3', '..4', '.7', '.5', '6']],
    // into itself, below itself, to its own place
    [1, row(1), 'inside', null],
    [1, row(4), 'inside', null],
    [2, row(3), 'before', null],
    [3, row(4), 'before', null],
    [4, row(2), 'inside', null],
    [6, row(7), 'before', null],
  ])('%i', (id, target, zone, expected) => {
    const place = dropPlace(tree, id, target, zone)
    expect(place && drawn(moveItem(LIST, id, place))).toEqual(expected)
  })
})
