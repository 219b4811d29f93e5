import { compareDecimals, isDecimal } from '~/lib/decimal'
import type { Filter, Op } from './list-state'

/** Comparison in the filter editor: those of the API, plus a range and "not empty". */
export type Comparison = Op | 'range' | 'filled'

/**
 * Returns the comparisons of the editor: adds a range if both bounds can be compared, and both answers to
 * "empty".
 */
export function comparisonsOf(ops: readonly Op[]): readonly Comparison[] {
  const compared = ops.filter((op) => op !== 'empty')
  const range: Comparison[] = ops.includes('gte') && ops.includes('lte') ? ['range'] : []
  return [...compared, ...range, ...(ops.includes('empty') ? (['empty', 'filled'] as const) : [])]
}

/** Returns the comparison that produced the filters. */
export function comparisonOf(filters: readonly Filter[]): Comparison | undefined {
  const [first] = filters
  if (isRange(filters)) return 'range'
  return first?.op === 'empty' && first.values[0] === 'false' ? 'filled' : first?.op
}

/** Fixed value of a comparison without an input; `undefined` for those with one. */
export const answerOf = (choice: Comparison): string | undefined => ({ empty: 'true', filled: 'false' })[choice as string]

const end =
  (op: Op, { field }: Filter) =>
  (other: Filter) =>
    other.field === field && other.op === op && other.values.length === 1

/** Groups filters for display: the two ends of a range are one. */
export function groupRanges(filters: readonly Filter[]): Filter[][] {
  return filters.flatMap((filter) => {
    const isEnd = filter.values.length === 1
    if (isEnd && filter.op === 'lte' && filters.some(end('gte', filter))) return []
    const until = isEnd && filter.op === 'gte' ? filters.find(end('lte', filter)) : undefined
    return [until ? [filter, until] : [filter]]
  })
}

export const isRange = (filters: readonly Filter[]) => filters.length === 2

/** Filters of a range; without a value it is open at that end. */
export const rangeOf = (field: string, [from = '', until = '']: readonly string[]): Filter[] => [
  ...(from ? [{ field, op: 'gte' as const, values: [from] }] : []),
  ...(until ? [{ field, op: 'lte' as const, values: [until] }] : []),
]

const NUMBER = /^-?[\d.]+/

/** True if a range ends before it begins; values with different units are not compared. */
export function isReversed([from = '', until = '']: readonly string[]): boolean {
  if (!from || !until) return false
  if (/^\d{4}-/.test(from)) return from > until
  const [a, b] = [NUMBER.exec(from)?.[0] ?? '', NUMBER.exec(until)?.[0] ?? '']
  return from.slice(a.length) === until.slice(b.length) && isDecimal(a) && isDecimal(b) && compareDecimals(a, b) > 0
}
