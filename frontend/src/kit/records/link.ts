import type { AuditRecord } from '~/api/schema'
import type { Op, SpecOf } from '~/kit/table/list-state'
import type { ListPath, Query } from './contract'

type Value = string | number | boolean
type Compared = Partial<Record<Exclude<Op, 'is'>, Value>>

/** Filters of a list as in the contract: a value that the field contains or equals, or comparisons. */
export type FiltersOf<P extends ListPath> = { [F in keyof SpecOf<Query<P>>['filters']]?: Value | Compared }

interface Options {
  sort?: string
  /** Query of the current page, reduced to what links carry along: `keepTenant(search)`. */
  search?: string
}

/** Address of the list below `pathname` with these filters, for fields that are known only at run time. */
export function listAddress(pathname: string, filters: Readonly<Record<string, Value | Compared | undefined>>, options: Options = {}) {
  const params = new URLSearchParams(options.search)
  for (const [field, filter] of Object.entries(filters)) {
    if (filter === undefined) continue
    const by: Readonly<Record<string, Value>> = typeof filter === 'object' ? filter : { is: filter }
    for (const [op, value] of Object.entries(by)) params.set(op === 'is' ? `f.${field}` : `f.${field}.${op}`, String(value))
  }
  if (options.sort) params.set('sort', options.sort)
  return { pathname, search: params.toString() }
}

/**
 * Address of a resource's list with these filters. A filter that the contract does not have does not
 * compile.
 */
export const linkTo = <P extends ListPath>({ path }: { path: string; apiPath: P }, filters: FiltersOf<P>, options?: Options) =>
  listAddress(path, filters as Parameters<typeof listAddress>[1], options)

const HISTORY = { path: '/audit', apiPath: '/api/admin/audit' } as const

/** Address of a record's entries in the history. */
export const linkToHistory = (record: AuditRecord, id: number) => linkTo(HISTORY, { record, record_id: id })

/** Address of the history entries about the prices that one request has changed. */
export const linkToChangedPrices = (request_id: string, search: string) =>
  linkTo(HISTORY, { record: 'price_list_entry', request_id }, { search })
