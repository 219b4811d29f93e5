import { describe, expect, it } from 'vitest'
import { forest } from '~/kit/tree/tree'
import { type AnswerItem, absolutePointer, pointTo, readAnswer, readEntries, relativePointer, SHOWN_ENTRIES } from './answer'

const read = (answer: unknown) => readAnswer(JSON.stringify(answer, null, 2)) ?? []
const tree = (answer: unknown) => forest(read(answer))
/** Id of the item with the given text. */
const idOf = (items: readonly AnswerItem[], text: string) => items.find((item) => item.text === text)?.id ?? -1

describe('reading an answer', () => {
  it('names values, counts entries, and leaves numbers as they are written', () => {
    const items = readAnswer('{"a": [1.50, {"b/c": null}], "d": "x\\"{", "e": {}, "f": 12345678901234567890}')
    expect(items?.map(({ parent_id, key, kind, text, size }) => [parent_id, key, kind, kind === 'value' ? text : size])).toEqual([
      [null, null, 'object', 4],
      [0, 'a', 'array', 2],
      [1, '0', 'value', '1.50'],
      [1, '1', 'object', 1],
      [3, 'b/c', 'value', 'null'],
      [0, 'd', 'value', '"x\\"{"'],
      [0, 'e', 'object', 0],
      [0, 'f', 'value', '12345678901234567890'],
    ])
  })

  it('reads the part of a truncated answer that was received', () => {
    expect(readAnswer('{"items": [{"no": "A1", "qty": 5}, {"no": "A')?.map(({ key }) => key)).toEqual([
      null,
      'items',
      '0',
      'no',
      'qty',
      '1',
    ])
  })

  it('shows the first entries of a long array and counts them all', () => {
    const items = read({ list: Array.from({ length: 30 }, (_, at) => ({ no: at })), last: 'x' })
    expect(items.filter(({ key }) => key === 'no')).toHaveLength(SHOWN_ENTRIES)
    expect(items[1]).toMatchObject({ kind: 'array', size: 30 })
    expect(items.at(-1)).toMatchObject({ key: 'last', parent_id: 0 })
  })

  it.each(['<html>', '', '42', '"x"'])('is no tree: %s', (text) => expect(readAnswer(text)).toBeNull())
})

describe('reading entries by pointers', () => {
  const nested = {
    items: [
      { 'no/nr': 'A1', site: { name: ' HH ' }, free: 1.5 },
      { 'no/nr': 7, free: null },
    ],
    next: 'u',
  }
  const fields = ['quantity', 'article_number', 'warehouse', 'next_page'] as const

  it('finds mapped values, and null if there is none', () => {
    const pointers = { list: '/items', quantity: '/free', article_number: '/no~1nr', warehouse: '/site/name', next_page: '/next' }
    expect(readEntries(tree(nested), pointers, fields)).toEqual({
      entries: [
        { quantity: '1.5', article_number: 'A1', warehouse: 'HH' },
        { quantity: null, article_number: '7', warehouse: null },
      ],
      count: 2,
    })
  })

  it.each([
    [{ free: 5 }, '', '/free', { entries: [{ quantity: '5' }], count: 1 }],
    [['5'], '', '.', { entries: [{ quantity: '5' }], count: 1 }],
    [{ items: [] }, '/items', '/free', { entries: [], count: 0 }],
    [{ items: [] }, '/elsewhere', '/free', null],
    [{ items: 5 }, '/items', '/free', null],
  ])('%j %s %s', (answer, list, quantity, expected) => {
    expect(readEntries(tree(answer), { list, quantity }, fields)).toEqual(expected)
  })

  it('counts entries that are not shown', () => {
    const read = readEntries(tree(Array.from({ length: 30 }, (_, free) => ({ free }))), { list: '', quantity: '/free' }, fields)
    expect([read?.entries.length, read?.count]).toEqual([SHOWN_ENTRIES, 30])
  })
})

describe('pointing at a value', () => {
  const nested = { items: [{ 'no/nr': 'A1', stocks: [{ site: 'HH', free: 5 }] }], next: 'u' }

  it.each([
    [nested, '5', '', 'outermost', { list: '/items', pointer: '/stocks/0/free' }],
    [nested, '5', '', 'innermost', { list: '/items/0/stocks', pointer: '/free' }],
    [nested, '5', '/items', 'innermost', { list: '/items', pointer: '/stocks/0/free' }],
    [nested, '5', '/elsewhere', 'outermost', { list: '/items', pointer: '/stocks/0/free' }],
    [nested, '"A1"', '', 'outermost', { list: '/items', pointer: '/no~1nr' }],
    [nested, '"u"', '/items', 'outermost', { list: '', pointer: '/next' }],
    [[{ free: 5 }], '5', '', 'innermost', { list: '', pointer: '/free' }],
    [{ data: { 'a~b': 5 } }, '5', '', 'outermost', { list: '', pointer: '/data/a~0b' }],
    [['A1'], '"A1"', '', 'outermost', { list: '', pointer: '' }],
  ] as const)('%j %s in %s, %s', (answer, text, list, listLevel, expected) => {
    const forest = tree(answer)
    expect(pointTo(forest, idOf(forest.list, text), list, listLevel)).toEqual(expected)
  })

  it('finds the values of every entry by the pointers', () => {
    const { list } = tree({ items: [{ free: 5 }, { free: 6 }], free: 7 })
    const relative = (text: string, listPointer: string) => relativePointer(forest(list), idOf(list, text), listPointer)
    expect([relative('5', '/items'), relative('6', '/items'), relative('7', '/items'), relative('7', '')]).toEqual([
      '/free',
      '/free',
      null,
      '/free',
    ])
    expect(absolutePointer(forest(list), idOf(list, '6'))).toBe('/items/1/free')
  })
})
