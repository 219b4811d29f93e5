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
    ['nobody changed anything', {}, {}, [], [], {}],
    ['only I did', { name: 'b' }, {}, [], [], { name: 'b' }],
    ['only they did', {}, { name: 'c' }, [], ['name'], { name: 'c' }],
    ['both, the same', { name: 'b' }, { name: 'b' }, [], [], { name: 'b' }],
    ['both, different fields', { name: 'b' }, { number: '2' }, [], ['number'], { name: 'b', number: '2' }],
    ['both, the same field', { name: 'b' }, { name: 'c' }, ['name'], [], { name: 'b' }],
  ])('%s', (_case, mine, theirs, asked, taken, result) => {
    const merged = merge({ ...base, ...mine }, base, { ...base, ...theirs }, {})
    expect(merged.questions.map(({ id }) => id)).toEqual(asked)
    expect(merged.taken.map(({ id }) => id)).toEqual(taken)
    expect(merged.resolve({})).toEqual({ ...base, ...result })
  })

  it('takes the answer', () => {
    const merged = merge({ name: 'b' }, { name: 'a' }, { name: 'c' }, {})
    expect(merged.resolve({ name: 'theirs' })).toEqual({ name: 'c' })
  })
})

describe('fields that are one value together', () => {
  const base = { price: '850', unit: 't', note: '' }
  const run = (mine: object, theirs: object) => merge({ ...base, ...mine }, base, { ...base, ...theirs }, {}, { money: ['price', 'unit'] })

  it('are asked for as one, and none of them is mixed with those of the other side', () => {
    const merged = run({ price: '860' }, { price: '85', unit: 'kg' })
    expect(merged.questions).toEqual([
      { id: 'money', field: 'money', mine: { price: '860', unit: 't' }, theirs: { price: '85', unit: 'kg' } },
    ])
    expect(merged.resolve({})).toEqual({ price: '860', unit: 't', note: '' })
    expect(merged.resolve({ money: 'theirs' })).toEqual({ price: '85', unit: 'kg', note: '' })
  })

  it('are a question where each side has changed another of them', () => {
    expect(run({ price: '860' }, { unit: 'kg' }).questions.map(({ id }) => id)).toEqual(['money'])
  })

  it('are taken together where only one side has changed any', () => {
    expect(run({ note: 'x' }, { price: '85', unit: 'kg' }).resolve({})).toEqual({ price: '85', unit: 'kg', note: 'x' })
  })
})

describe('lists of entries', () => {
  const [a, b, c] = [option(1, 'a'), option(2, 'b'), option(3, 'c')]
  const base = [a, b, c]
  const run = (mine: Option[], theirs: Option[], answers = {}) => {
    const merged = merge({ options: mine }, { options: base }, { options: theirs }, keys)
    return {
      asked: merged.questions.map(({ id }) => id),
      taken: merged.taken.map(({ id }) => id),
      options: merged.resolve(answers).options,
    }
  }

  it('merge by entry', () => {
    expect(run([option(1, 'A'), b, c], [a, b, option(3, 'C')])).toEqual({
      asked: [],
      taken: ['options.3'],
      options: [option(1, 'A'), b, option(3, 'C')],
    })
  })

  it('ask for the entry that both changed alone', () => {
    const both = [
      [option(1, 'A'), b, c],
      [option(1, 'X'), option(2, 'B'), c],
    ] as const
    expect(run([...both[0]], [...both[1]])).toEqual({
      asked: ['options.1'],
      taken: ['options.2'],
      options: [option(1, 'A'), option(2, 'B'), c],
    })
    expect(run([...both[0]], [...both[1]], { 'options.1': 'theirs' }).options).toEqual([option(1, 'X'), option(2, 'B'), c])
  })

  it('keep what either side has added, at its place', () => {
    expect(run([a, option(null, 'mine'), b, c], [a, b, option(9, 'theirs'), c])).toEqual({
      asked: [],
      taken: ['options.9'],
      options: [a, option(null, 'mine'), b, option(9, 'theirs'), c],
    })
  })

  it('let go what either side has removed untouched', () => {
    expect(run([b, c], [a, b])).toEqual({ asked: [], taken: ['options.3'], options: [b] })
  })

  it('ask for what one side has removed and the other one changed, and make it anew', () => {
    const removed = run([option(1, 'A'), b, c], [b, c])
    expect(removed).toEqual({ asked: ['options.1'], taken: [], options: [option(null, 'A'), b, c] })
    expect(run([option(1, 'A'), b, c], [b, c], { 'options.1': 'theirs' }).options).toEqual([b, c])
  })

  it('keep the order of who has moved something', () => {
    expect(run([c, b, a], [a, option(2, 'B'), c]).options).toEqual([c, option(2, 'B'), a])
    expect(run([a, option(2, 'B'), c], [c, b, a]).options).toEqual([c, option(2, 'B'), a])
  })

  it('are one field where entries cannot be told apart', () => {
    const twice = [option(1, 'a'), option(1, 'b')]
    expect(run(twice, [a, b])).toEqual({ asked: ['options'], taken: [], options: twice })
  })
})
