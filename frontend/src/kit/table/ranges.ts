import { compareDecimals, isDecimal } from '~/lib/decimal'
import type { Filter, Op } from './list-state'

/** Comparisons of a filter editor: those of the wire, from one value to another, and with any value. */
export type Comparison = Op | 'range' | 'filled'

/** The choices of an editor: a range where both of its ends can be compared with, and both answers to "is it empty". */
export function choicesOf(ops: readonly Op[]): readonly Comparison[] {
  const compared = ops.filter((op) => op !== 'empty')
  const range: Comparison[] = ops.includes('gte') && ops.includes('lte') ? ['range'] : []
  return [...compared, ...range, ...(ops.includes('empty') ? (['empty', 'filled'] as const) : [])]
}

/** The choice that some filters were made by. */
export function choiceOf(filters: readonly Filter[]): Comparison | undefined {
  const [first] = filters
  if (isRange(filters)) return 'range'
  return first?.op === 'empty' && first.values[0] === 'false' ? 'filled' : first?.op
}

/** The value that a choice without one stands for; `undefined` where one is entered. */
export const answerOf = (choice: Comparison): string | undefined => ({ empty: 'true', filled: 'false' })[choice as string]

const end =
  (op: Op, { field }: Filter) =>
  (other: Filter) =>
    other.field === field && other.op === op && other.values.length === 1

/** Filters as people read them: the two ends of a range are one. */
export function together(filters: readonly Filter[]): Filter[][] {
  return filters.flatMap((filter) => {
    const isEnd = filter.values.length === 1
    if (isEnd && filter.op === 'lte' && filters.some(end('gte', filter))) return []
    const until = isEnd && filter.op === 'gte' ? filters.find(end('lte', filter)) : undefined
    return [until ? [filter, until] : [filter]]
  })
}

export const isRange = (filters: readonly Filter[]) => filters.length === 2

/** From one value to another; without one of them it is open there. */
export const rangeOf = (field: string, [from = '', until = '']: readonly string[]): Filter[] => [
  ...(from ? [{ field, op: 'gte' as const, values: [from] }] : []),
  ...(until ? [{ field, op: 'lte' as const, values: [until] }] : []),
]

const NUMBER = /^-?[\d.]+/

/** Whether a range ends before it begins; of values in different units nobody says so here. */
export function isReversed([from = '', until = '']: readonly string[]): boolean {
  if (!from || !until) return false
  if (/^\d{4}-/.test(from)) return from > until
  const [a, b] = [NUMBER.exec(from)?.[0] ?? '', NUMBER.exec(until)?.[0] ?? '']
  return from.slice(a.length) === until.slice(b.length) && isDecimal(a) && isDecimal(b) && compareDecimals(a, b) > 0
}
