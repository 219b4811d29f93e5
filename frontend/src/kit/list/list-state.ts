import { dayEnd, dayStart } from '~/lib/dates'
import { DIGITS, fits, isDecimal } from '~/lib/decimal'
import { parseTenant, TENANT_PARAM } from '~/session/tenant'
import type { RefSource } from './ref-source'

/** `is` means "contains" for text and "equals" for everything else, as on the wire. */
export type Op = 'is' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'

export const SUFFIX: Record<Op, string> = {
  is: '',
  ne: '_not_equals',
  lt: '_lesser_than',
  lte: '_lesser_equals',
  gt: '_greater_than',
  gte: '_greater_equals',
}

export type FilterSpec =
  | { kind: 'text' }
  // what the search box holds; the server reads it
  | { kind: 'search' }
  | { kind: 'decimal'; unit?: string }
  | { kind: 'date' }
  | { kind: 'bool' }
  | { kind: 'enum'; values: readonly string[] }
  // biome-ignore lint/suspicious/noExplicitAny: the row type matters only inside the source
  | { kind: 'ref'; source: RefSource<any> }
  // the number of a record whose kind another filter says
  | { kind: 'id' }

export const OPS: Record<FilterSpec['kind'], readonly Op[]> = {
  text: ['is', 'ne'],
  search: ['is'],
  decimal: ['is', 'ne', 'lt', 'lte', 'gt', 'gte'],
  date: ['is', 'lt', 'lte', 'gt', 'gte'],
  bool: ['is'],
  enum: ['is', 'ne'],
  ref: ['is', 'ne'],
  id: ['is', 'ne'],
}

export interface Filter {
  field: string
  op: Op
  values: string[]
}

export interface ListState {
  /** 1-based, as on the wire. */
  page: number
  size: number
  sort: string | null
  filters: Filter[]
  tenantId: number | null
  /** The saved view that was chosen, whatever has been changed since. */
  view: number | null
}

export const PAGE_SIZES = [20, 40, 100] as const
export const DEFAULT_SIZE = 40

type FilterField<Q> = Extract<keyof NonNullable<Q>, `filter[${string}]`> extends `filter[${infer F}]` ? F : never
type SortField<Q> = NonNullable<Q> extends { sort?: infer S } ? Exclude<Extract<S, string>, `-${string}`> : never

export interface ListSpec {
  filters: Record<string, FilterSpec>
  sorts: readonly string[]
  defaultSort: string | null
  /** The field behind the search box. */
  search: string | null
}

/** A list's filters and sorts; those the contract does not document do not compile. */
export const listSpec =
  <Q>() =>
  (spec: {
    filters: { [F in FilterField<Q>]?: FilterSpec }
    sorts: readonly SortField<Q>[]
    defaultSort: SortField<Q> | `-${SortField<Q>}` | null
    search: FilterField<Q> | null
  }): ListSpec =>
    spec as ListSpec

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** As a filter takes it: what is copied from a table has tabulators, which no record's text has. */
export const searched = (text: string) => text.replace(/\p{Cc}+/gu, ' ').trim()

export function validValue(spec: FilterSpec, value: string): boolean {
  switch (spec.kind) {
    case 'text':
    case 'search':
      return value.trim() !== '' && value.length <= 255 && !/\p{Cc}/u.test(value)
    case 'decimal':
      return isDecimal(value) && fits(value, DIGITS)
    case 'date':
      return DAY.test(value) && !Number.isNaN(Date.parse(value))
    case 'bool':
      return value === 'true' || value === 'false'
    case 'enum':
      return spec.values.includes(value)
    case 'ref':
    case 'id':
      return /^\d{1,15}$/.test(value)
  }
}

const positive = (text: string | null, most: number): number | null => {
  if (!text || !/^\d{1,9}$/.test(text)) return null
  const value = Number(text)
  return value >= 1 && value <= most ? value : null
}

/** Reads the address; whatever does not make sense counts as not given. */
export function readListState(spec: ListSpec, search: string): ListState {
  const params = new URLSearchParams(search)
  const sort = params.get('sort')
  const size = positive(params.get('size'), 200)
  const filters: Filter[] = []
  for (const key of new Set(params.keys())) {
    const match = /^f\.([a-z0-9_]+)(?:\.(ne|lt|lte|gt|gte))?$/.exec(key)
    const field = match?.[1]
    const filter = field ? spec.filters[field] : undefined
    if (!field || !filter) continue
    const op = (match?.[2] ?? 'is') as Op
    const values = params.getAll(key).filter((value) => validValue(filter, value))
    if (values.length > 0 && OPS[filter.kind].includes(op)) filters.push({ field, op, values })
  }
  return {
    page: positive(params.get('page'), 1_000_000) ?? 1,
    size: PAGE_SIZES.find((known) => known === size) ?? DEFAULT_SIZE,
    sort: sort && spec.sorts.includes(sort.replace(/^-/, '')) ? sort : spec.defaultSort,
    filters,
    tenantId: parseTenant(params.get(TENANT_PARAM)),
    view: positive(params.get('view'), 999_999_999),
  }
}

/** Writes the state into the address; defaults leave no trace, foreign parameters stay. */
export function writeListState(spec: ListSpec, state: ListState, before: URLSearchParams): URLSearchParams {
  const params = new URLSearchParams()
  for (const [key, value] of before) {
    if (!key.startsWith('f.') && !['page', 'size', 'sort', 'view'].includes(key)) params.append(key, value)
  }
  if (state.page > 1) params.set('page', String(state.page))
  if (state.size !== DEFAULT_SIZE) params.set('size', String(state.size))
  if (state.sort && state.sort !== spec.defaultSort) params.set('sort', state.sort)
  if (state.view !== null) params.set('view', String(state.view))
  for (const { field, op, values } of state.filters) {
    for (const value of values) params.append(op === 'is' ? `f.${field}` : `f.${field}.${op}`, value)
  }
  return params
}

function filterOnWire({ field, op, values }: Filter, kind: FilterSpec['kind']): [string, string | string[]][] {
  const name = (by: Op) => `filter[${field}${SUFFIX[by]}]`
  const [first = ''] = values
  if (kind === 'date') {
    const from: [string, string] = [name('gte'), dayStart(first)]
    const until: [string, string] = [name('lte'), dayEnd(first)]
    if (op === 'is') return [from, until]
    if (op === 'gte') return [from]
    if (op === 'lte') return [until]
    return [[name(op), op === 'lt' ? dayStart(first) : dayEnd(first)]]
  }
  return [[name(op), values.length > 1 ? values : first]]
}

/** Filters, sort and tenant of the wire, of all pages. */
export function filtersOnWire(spec: ListSpec, state: ListState): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  // without a sort of its own a search has the best first
  const searches = state.filters.some(({ field }) => field === spec.search && spec.filters[field]?.kind === 'search')
  const ranked = searches && state.sort === spec.defaultSort
  if (state.sort && !ranked) query.sort = state.sort
  if (state.tenantId !== null) query.tenant_id = state.tenantId
  for (const filter of state.filters) {
    const known = spec.filters[filter.field]
    if (known) Object.assign(query, Object.fromEntries(filterOnWire(filter, known.kind)))
  }
  return query
}

/** The one place that knows the wire's list parameters. */
export const toWire = <Q>(spec: ListSpec, state: ListState): Q =>
  ({ 'page[number]': state.page, 'page[size]': state.size, ...filtersOnWire(spec, state) }) as Q
