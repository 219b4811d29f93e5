import { describe, expect, it } from 'vitest'
import { merge } from './merge'

interface Option {
  id: number | null
  name: string
}
const option = (id: number | null, name: string): Option => ({ id, name })
const keys = { options: ({ id }: Option) => id }

describe('fields', () => {
  const base = { name: 'a', number: '1', note: '' }
  it.each([
    ['no side changed anything', {}, {}, [], [], {}],
    ['only I did', { name: 'b' }, {}, [], [], { name: 'b' }],
    ['only they did', {}, { name: 'c' }, [], ['name'], { name: 'c' }],
    ['both, the same', { name: 'b' }, { name: 'b' }, [], [], { name: 'b' }],
    ['both, different fields', { name: 'b' }, { number: '2' }, [], ['number'], { name: 'b', number: '2' }],
    ['both, the same field', { name: 'b' }, { name: 'c' }, ['name'], [], { name: 'b' }],
  ])('%s', (_case, mine, theirs, conflicts, theirChanges, result) => {
    const merged = merge({ ...base, ...mine }, base, { ...base, ...theirs }, {})
    expect(merged.conflicts.map(({ id }) => id)).toEqual(conflicts)
    expect(merged.theirChanges.map(({ id }) => id)).toEqual(theirChanges)
    expect(merged.resolve({})).toEqual({ ...base, ...result })
  })

  it('applies the answer', () => {
    const merged = merge({ name: 'b' }, { name: 'a' }, { name: 'c' }, {})
    expect(merged.resolve({ name: 'theirs' })).toEqual({ name: 'c' })
  })
})

describe('fields that are one value together', () => {
  const base = { price: '850', unit: 't', note: '' }
  const run = (mine: object, theirs: object) => merge({ ...base, ...mine }, base, { ...base, ...theirs }, {}, { money: ['price', 'unit'] })

  it('are one conflict, and never mix values of both sides', () => {
    const merged = run({ price: '860' }, { price: '85', unit: 'kg' })
    expect(merged.conflicts).toEqual([
      { id: 'money', field: 'money', mine: { price: '860', unit: 't' }, theirs: { price: '85', unit: 'kg' } },
    ])
    expect(merged.resolve({})).toEqual({ price: '860', unit: 't', note: '' })
    expect(merged.resolve({ money: 'theirs' })).toEqual({ price: '85', unit: 'kg', note: '' })
  })

  it('are a conflict if each side has changed a different field', () => {
    expect(run({ price: '860' }, { unit: 'kg' }).conflicts.map(({ id }) => id)).toEqual(['money'])
  })

  it('are merged together if only one side has changed any', () => {
    expect(run({ note: 'x' }, { price: '85', unit: 'kg' }).resolve({})).toEqual({ price: '85', unit: 'kg', note: 'x' })
  })
})

describe('lists of entries', () => {
  const [a, b, c] = [option(1, 'a'), option(2, 'b'), option(3, 'c')]
  const base = [a, b, c]
  const run = (mine: Option[], theirs: Option[], answers = {}) => {
    const merged = merge({ options: mine }, { options: base }, { options: theirs }, keys)
    return {
      conflicts: merged.conflicts.map(({ id }) => id),
      theirChanges: merged.theirChanges.map(({ id }) => id),
      options: merged.resolve(answers).options,
    }
  }

  it('merge by entry', () => {
    expect(run([option(1, 'A'), b, c], [a, b, option(3, 'C')])).toEqual({
      conflicts: [],
      theirChanges: ['options.3'],
      options: [option(1, 'A'), b, option(3, 'C')],
    })
  })

  it('report a conflict only for the entry that both sides changed', () => {
    const both = [
      [option(1, 'A'), b, c],
      [option(1, 'X'), option(2, 'B'), c],
    ] as const
    expect(run([...both[0]], [...both[1]])).toEqual({
      conflicts: ['options.1'],
      theirChanges: ['options.2'],
      options: [option(1, 'A'), option(2, 'B'), c],
    })
    expect(run([...both[0]], [...both[1]], { 'options.1': 'theirs' }).options).toEqual([option(1, 'X'), option(2, 'B'), c])
  })

  it('include the entries that either side added, at their places', () => {
    expect(run([a, option(null, 'mine'), b, c], [a, b, option(9, 'theirs'), c])).toEqual({
      conflicts: [],
      theirChanges: ['options.9'],
      options: [a, option(null, 'mine'), b, option(9, 'theirs'), c],
    })
  })

  it('leave out entries that one side removed and the other left unchanged', () => {
    expect(run([b, c], [a, b])).toEqual({ conflicts: [], theirChanges: ['options.3'], options: [b] })
  })

  it('report a conflict for an entry removed by one side and changed by the other, and recreate it', () => {
    const removed = run([option(1, 'A'), b, c], [b, c])
    expect(removed).toEqual({ conflicts: ['options.1'], theirChanges: [], options: [option(null, 'A'), b, c] })
    expect(run([option(1, 'A'), b, c], [b, c], { 'options.1': 'theirs' }).options).toEqual([b, c])
  })

  it('follow the order of the side that moved entries', () => {
    expect(run([c, b, a], [a, option(2, 'B'), c]).options).toEqual([c, option(2, 'B'), a])
    expect(run([a, option(2, 'B'), c], [c, b, a]).options).toEqual([c, option(2, 'B'), a])
  })

  it('are merged as one value if entries cannot be distinguished', () => {
    const twice = [option(1, 'a'), option(1, 'b')]
    expect(run(twice, [a, b])).toEqual({ conflicts: ['options'], theirChanges: [], options: twice })
  })
})
