import type { UseQueryOptions } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { RefSource } from '~/kit/form/ref-source'
import { dayStart } from '~/lib/dates'
import { addDays, isDay } from '~/lib/days'
import { DIGITS, fits, isDecimal } from '~/lib/decimal'
import { parseId } from '~/lib/ids'
import { TENANT_PARAM } from '~/session/tenant'

/** Comparison. `is` means "contains" for text and "equals" for everything else, as in the API. */
export type Op = 'is' | 'eq' | 'sw' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'empty'

export const SUFFIX: Record<Op, string> = {
  is: '',
  eq: '_equals',
  sw: '_starts_with',
  ne: '_not_equals',
  lt: '_lesser_than',
  lte: '_lesser_equals',
  gt: '_greater_than',
  gte: '_greater_equals',
  empty: '_empty',
}

export type FilterSpec = {
  /** Set if the field may be empty, and can be filtered by that. */
  optional?: true
} & (
  | { kind: 'text' }
  // text of the search box, interpreted by the server
  | { kind: 'search' }
  | { kind: 'decimal'; unit?: string }
  | { kind: 'date' }
  | { kind: 'bool' }
  // labelled as in the form, unless `Text` is given
  | { kind: 'enum'; values: readonly string[]; Text?: ComponentType<{ value: string }> }
  // biome-ignore lint/suspicious/noExplicitAny: the row type matters only inside the source
  | { kind: 'ref'; source: RefSource<any> }
  // id of a record whose kind another filter determines
  | { kind: 'id' }
  // only set by links, such as the id of a request
  | { kind: 'key' }
  // value of one of many records, whose id follows the field's name: `attribute_7`
  | ValueSpec
)

/**
 * Filter by a value that belongs to a record of another kind, such as the value of an attribute; the feature
 * provides input and text.
 */
export interface ValueSpec {
  kind: 'value'
  optional?: true
  // biome-ignore lint/suspicious/noExplicitAny: the row type matters only inside the source
  source: RefSource<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  ops: (record: any) => readonly Op[]
  /** Records to which the current filters narrow the choice; null if any can be chosen. */
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  narrow?: (filters: readonly Filter[]) => UseQueryOptions<any, any, { id: number; label: string }[], any> | null
  // biome-ignore lint/suspicious/noExplicitAny: as above
  valid: (record: any, value: string) => boolean
  Input: ComponentType<ValueInputProps>
  Text: ComponentType<{ record: number; value: string }>
}

export interface ValueInputProps {
  id: string
  record: number
  /** Value as in the API; empty while the input is invalid. */
  value: string
  onChange: (value: string) => void
  invalid: boolean
  describedBy: string | undefined
}

export const OPS: Record<FilterSpec['kind'], readonly Op[]> = {
  text: ['is', 'eq', 'sw', 'ne'],
  search: ['is'],
  decimal: ['is', 'ne', 'lt', 'lte', 'gt', 'gte'],
  date: ['is', 'lt', 'lte', 'gt', 'gte'],
  bool: ['is'],
  enum: ['is', 'ne'],
  ref: ['is', 'ne'],
  id: ['is', 'ne'],
  key: ['is'],
  value: ['is', 'ne', 'lt', 'lte', 'gt', 'gte'],
}

/** Returns the comparisons of a field. */
export const opsOf = (spec: FilterSpec): readonly Op[] => (spec.optional ? [...OPS[spec.kind], 'empty'] : OPS[spec.kind])

/** True if a filter's value fits its comparison. */
export const fitsOp = (spec: FilterSpec, op: Op, value: string): boolean =>
  op === 'empty' ? value === 'true' || value === 'false' : validValue(spec, value)

/** Returns the kind under which the labels of the comparisons are found. */
export const opTextKey = (kind: FilterSpec['kind']) => ({ search: 'text', key: 'id' })[kind as string] ?? kind

export interface Filter {
  field: string
  op: Op
  values: string[]
}

export interface ListState {
  /** Number of the page, from 1, as in the API. */
  page: number
  size: number
  /** Sort order; null for the server's, which sorts a search by relevance. */
  sort: string | null
  filters: Filter[]
  tenantId: number | null
  /** Saved view that was chosen, even if it has been changed since. */
  view: number | null
}

export const PAGE_SIZES = [20, 40, 100] as const
export const DEFAULT_SIZE = 40

/** Returns the specification of a field, and the id of the record for a value. */
export function specOf(spec: ListSpec, field: string): { spec: FilterSpec; name: string; record: number | null } | null {
  const own = spec.filters[field]
  if (own) return { spec: own, name: field, record: null }
  const [, name = '', record = ''] = /^(.+)_(\d{1,15})$/.exec(field) ?? []
  const valueSpec = spec.filters[name]
  return valueSpec?.kind === 'value' ? { spec: valueSpec, name, record: Number(record) } : null
}

type Filters<Q> = NonNullable<Q> extends { filter?: infer F } ? keyof NonNullable<F> : never
type FilterField<Q> = Extract<Filters<Q> | keyof NonNullable<Q>, `filter[${string}]`> extends `filter[${infer F}]` ? F : never
/** Fields that have comparisons but no filter of the bare name. */
type ComparedField<F> = F extends `${infer N}_greater_equals` ? N : never
/** Requires `optional` for fields that have a filter for empty values. */
type Emptiness<F extends string, All> = `${F}_empty` extends All ? { optional: true } : { optional?: F extends 'attribute' ? true : never }
type SortField<Q> = NonNullable<Q> extends { sort?: infer S } ? Exclude<Extract<S, string>, `-${string}`> : never

export interface ListSpec {
  filters: Record<string, FilterSpec>
  sorts: readonly string[]
  defaultSort: string | null
  /** Field behind the search box. */
  search: string | null
}

/** Filters and sorts of a list; those that are not in the contract do not compile. */
export interface SpecOf<Q> {
  filters: { [F in FilterField<Q> | ComparedField<FilterField<Q>>]?: FilterSpec & Emptiness<F, FilterField<Q>> }
  sorts: readonly SortField<Q>[]
  defaultSort: SortField<Q> | `-${SortField<Q>}` | null
  search: FilterField<Q> | null
}

export const listSpec =
  <Q>() =>
  (spec: SpecOf<Q>): ListSpec =>
    spec as ListSpec

/** Cleans a text for a filter: text copied from a table has tabs, which no record's text has. */
export const cleanSearchText = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim()

export function validValue(spec: FilterSpec, value: string): boolean {
  switch (spec.kind) {
    case 'text':
    case 'search':
    case 'value':
      return value.trim() !== '' && value.length <= 255 && !/\p{Cc}/u.test(value)
    case 'decimal':
      return isDecimal(value) && fits(value, DIGITS)
    case 'date':
      return isDay(value)
    case 'bool':
      return value === 'true' || value === 'false'
    case 'enum':
      return spec.values.includes(value)
    case 'ref':
    case 'id':
      return /^\d{1,15}$/.test(value)
    case 'key':
      return /^[0-9a-f]{32}$/.test(value)
  }
}

const positive = (text: string | null, max: number): number | null => {
  if (!text || !/^\d{1,9}$/.test(text)) return null
  const value = Number(text)
  return value >= 1 && value <= max ? value : null
}

/** Default sort order; null for a search, which the server sorts by relevance. */
export function defaultSortOf(spec: ListSpec, filters: readonly Filter[]): string | null {
  const isRanked = filters.some(({ field }) => field === spec.search && spec.filters[field]?.kind === 'search')
  return isRanked ? null : spec.defaultSort
}

/** Returns the sort order if the list has it, or its default. */
export const validSort = (spec: ListSpec, sort: string | null, filters: readonly Filter[]) =>
  sort && spec.sorts.includes(sort.replace(/^-/, '')) ? sort : defaultSortOf(spec, filters)

/** Applies a change to a state. A list in its default order stays in the default order. */
export function applyChange(spec: ListSpec, before: ListState, change: Partial<ListState>): ListState {
  const after = { ...before, ...change }
  const hasDefaultSort = change.sort === undefined && before.sort === defaultSortOf(spec, before.filters)
  return hasDefaultSort ? { ...after, sort: defaultSortOf(spec, after.filters) } : after
}

/** Reads the state from the address and ignores invalid parameters. */
export function readListState(spec: ListSpec, search: string): ListState {
  const params = new URLSearchParams(search)
  const sort = params.get('sort')
  const size = positive(params.get('size'), 200)
  const filters: Filter[] = []
  for (const key of new Set(params.keys())) {
    const match = /^f\.([a-z0-9_]+)(?:\.(eq|sw|ne|lt|lte|gt|gte|empty))?$/.exec(key)
    const field = match?.[1]
    const filter = field ? specOf(spec, field)?.spec : undefined
    // a value needs the id of its record
    if (!field || !filter || spec.filters[field]?.kind === 'value') continue
    const op = (match?.[2] ?? 'is') as Op
    const values = params.getAll(key).filter((value) => fitsOp(filter, op, value))
    if (values.length > 0 && opsOf(filter).includes(op)) filters.push({ field, op, values })
  }
  return {
    page: positive(params.get('page'), 1_000_000) ?? 1,
    size: PAGE_SIZES.find((choice) => choice === size) ?? DEFAULT_SIZE,
    sort: validSort(spec, sort, filters),
    filters,
    tenantId: parseId(params.get(TENANT_PARAM)),
    view: positive(params.get('view'), 999_999_999),
  }
}

/** Writes the state into the address. Defaults are left out, other parameters stay. */
export function writeListState(spec: ListSpec, state: ListState, before: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams()
  for (const [key, value] of before) {
    if (!key.startsWith('f.') && !['page', 'size', 'sort', 'view'].includes(key)) params.append(key, value)
  }
  if (state.page > 1) params.set('page', String(state.page))
  if (state.size !== DEFAULT_SIZE) params.set('size', String(state.size))
  if (state.sort && state.sort !== defaultSortOf(spec, state.filters)) params.set('sort', state.sort)
  if (state.view !== null) params.set('view', String(state.view))
  for (const { field, op, values } of state.filters) {
    for (const value of values) params.append(op === 'is' ? `f.${field}` : `f.${field}.${op}`, value)
  }
  return params
}

/** True if the address has no list parameters, so that everything is at its default. */
export const isDefaultState = (spec: ListSpec, state: ListState) => writeListState(spec, state, new URLSearchParams()).size === 0

function filterOnWire(spec: ListSpec, { field, op, values }: Filter): [string, string | string[]][] {
  const filterField = specOf(spec, field)
  if (!filterField) return []
  const { kind } = filterField.spec
  const wire = filterField.record === null ? field : `${filterField.name}][${filterField.record}`
  const name = (by: Op) => `filter[${wire}${SUFFIX[by]}]`
  const [first = ''] = values
  if (kind === 'date' && op !== 'empty') {
    // a day ends where the next one begins; the end is exclusive
    const [begin, end] = [dayStart(first), dayStart(addDays(first, 1))]
    const from: [string, string] = [name('gte'), op === 'gt' ? end : begin]
    const before: [string, string] = [name('lt'), op === 'lt' ? begin : end]
    if (op === 'is') return [from, before]
    return op === 'gt' || op === 'gte' ? [from] : [before]
  }
  return [[name(op), values.length > 1 ? values : first]]
}

/** Query parameters for filters, sort and tenant, without the page. */
export function filtersOnWire(spec: ListSpec, state: ListState): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  if (state.sort) query.sort = state.sort
  if (state.tenantId !== null) query.tenant_id = state.tenantId
  const filter: Record<string, string | string[]> = {}
  for (const [name, value] of state.filters.flatMap((activeFilter) => filterOnWire(spec, activeFilter))) {
    const other = filter[name]
    // two conditions on days may set the same bound: the narrower one fulfils both
    const isWider =
      typeof other === 'string' && typeof value === 'string' && (name.endsWith('_lesser_than]') ? other < value : other > value)
    if (!isWider) filter[name] = value
  }
  return Object.keys(filter).length > 0 ? { ...query, filter } : query
}

/** Query parameters of a list; the only place that builds them. */
export const toWire = <Q>(spec: ListSpec, state: ListState): Q =>
  ({ 'page[number]': state.page, 'page[size]': state.size, ...filtersOnWire(spec, state) }) as Q
