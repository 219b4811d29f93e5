import { describe, expect, it } from 'vitest'
import { applyChange, type ListSpec, type Op, readListState, toWire, writeListState } from './list-state'

const spec: ListSpec = {
  filters: {
    name: { kind: 'text' },
    weight: { kind: 'decimal' },
    type: { kind: 'enum', values: ['a', 'b'] },
    primary: { kind: 'bool' },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'weight'],
  defaultSort: 'name',
  search: 'name',
}

const wire = (search: string) => toWire<Record<string, unknown>>(spec, readListState(spec, search))

describe('toWire', () => {
  it.each<[Op, string]>([
    ['is', 'filter[weight]'],
    ['ne', 'filter[weight_not_equals]'],
    ['lt', 'filter[weight_lesser_than]'],
    ['lte', 'filter[weight_lesser_equals]'],
    ['gt', 'filter[weight_greater_than]'],
    ['gte', 'filter[weight_greater_equals]'],
  ])('%s becomes %s', (op, key) => {
    expect(wire(op === 'is' ? 'f.weight=7.5' : `f.weight.${op}=7.5`)).toEqual({
      'page[number]': 1,
      'page[size]': 40,
      sort: 'name',
      filter: { [key]: '7.5' },
    })
  })

  it('sends page, size, sort and tenant', () => {
    expect(wire('page=3&size=100&sort=-weight&tenantId=7')).toEqual({
      'page[number]': 3,
      'page[size]': 100,
      sort: '-weight',
      tenant_id: 7,
    })
  })

  it('sorts a search by relevance unless another order is chosen', () => {
    const searched: ListSpec = { ...spec, filters: { ...spec.filters, search: { kind: 'search' } }, search: 'search' }
    const sort = (search: string) => toWire<Record<string, unknown>>(searched, readListState(searched, search)).sort
    expect(sort('f.search=heb')).toBeUndefined()
    expect(sort('f.search=heb&sort=-name')).toBe('-name')
    expect(sort('f.search=heb&sort=name')).toBe('name')
    expect(sort('f.name=heb')).toBe('name')

    const search = { filters: [{ field: 'search', op: 'is' as const, values: ['heb'] }] }
    const unsorted = applyChange(searched, readListState(searched, ''), search)
    expect(unsorted.sort).toBeNull()
    expect(writeListState(searched, unsorted, new URLSearchParams()).toString()).toBe('f.search=heb')
    expect(applyChange(searched, unsorted, { filters: [] }).sort).toBe('name')
    const byName = applyChange(searched, unsorted, { sort: 'name' })
    expect(writeListState(searched, byName, new URLSearchParams()).get('sort')).toBe('name')
    expect(applyChange(searched, readListState(searched, 'sort=-name'), search).sort).toBe('-name')
  })

  it('repeats the parameter for several values', () => {
    expect(wire('f.type=a&f.type=b')).toMatchObject({ filter: { 'filter[type]': ['a', 'b'] } })
  })

  it('turns days into instants', () => {
    expect(wire('f.updated_at=2026-11-20')).toMatchObject({
      filter: {
        'filter[updated_at_greater_equals]': '2026-11-19T23:00:00.000Z',
        'filter[updated_at_lesser_than]': '2026-11-20T23:00:00.000Z',
      },
    })
    expect(wire('f.updated_at.lt=2026-11-20')).toMatchObject({ filter: { 'filter[updated_at_lesser_than]': '2026-11-19T23:00:00.000Z' } })
    expect(wire('f.updated_at.lte=2026-11-20')).toMatchObject({ filter: { 'filter[updated_at_lesser_than]': '2026-11-20T23:00:00.000Z' } })
    expect(wire('f.updated_at.gt=2026-11-20')).toMatchObject({
      filter: { 'filter[updated_at_greater_equals]': '2026-11-20T23:00:00.000Z' },
    })
    expect(wire('f.updated_at.gte=2026-11-20')).toMatchObject({
      filter: { 'filter[updated_at_greater_equals]': '2026-11-19T23:00:00.000Z' },
    })
  })

  it('combines bounds on days to the narrowest', () => {
    for (const search of ['f.updated_at=2026-11-20&f.updated_at.lte=2026-11-25', 'f.updated_at.lte=2026-11-25&f.updated_at=2026-11-20']) {
      expect(wire(search)).toMatchObject({ filter: { 'filter[updated_at_lesser_than]': '2026-11-20T23:00:00.000Z' } })
    }
    expect(wire('f.updated_at.gt=2026-11-20&f.updated_at.gte=2026-11-01')).toMatchObject({
      filter: { 'filter[updated_at_greater_equals]': '2026-11-20T23:00:00.000Z' },
    })
  })
})

describe('readListState', () => {
  it.each([
    'page=0',
    'page=-1',
    'page=abc',
    'page=99999999999',
    'size=41',
    'sort=password',
    'f.unknown=1',
    'f.weight=heavy',
    'f.weight=1000000000000',
    'f.weight=1.1234567',
    'f.type=c',
    'f.primary=perhaps',
    'f.updated_at=2026-13-45',
    'f.name.gt=a',
    'f.name=',
    'f.name=a%09b',
    'tenantId=x',
    'tenantId=-3',
    'f.__proto__=1',
  ])('%s counts as not given', (search) => {
    expect(readListState(spec, search)).toEqual(readListState(spec, ''))
  })

  it('drops invalid ones of several values', () => {
    expect(readListState(spec, 'f.type=a&f.type=z').filters).toEqual([{ field: 'type', op: 'is', values: ['a'] }])
  })
})

describe('writeListState', () => {
  it('leaves defaults out and foreign parameters alone', () => {
    const before = new URLSearchParams('tenantId=3&page=4&f.name=old&other=1')
    const state = { ...readListState(spec, ''), tenantId: 3 }
    expect(writeListState(spec, state, before).toString()).toBe('tenantId=3&other=1')
  })

  it('round-trips', () => {
    const search = 'page=2&size=20&sort=-weight&f.name=Tr%C3%A4ger+%26+Co&f.weight.gte=10.5&f.type=a&f.type=b'
    const state = readListState(spec, search)
    expect(readListState(spec, writeListState(spec, state, new URLSearchParams()).toString())).toEqual(state)
    expect(state.filters).toHaveLength(3)
  })
})
