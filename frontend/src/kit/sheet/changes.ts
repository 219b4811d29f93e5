import type { Message } from '~/kit/ui/message'
import type { Lang } from '~/lib/lang'
import type { Column } from './column'
import { type Conflict, groupOf } from './merge-rows'

export type RowKey = number | string

/** A cell that was changed, or that the server refuses. */
export interface Cell {
  /** As it was typed or pasted. */
  raw: string
  /** Null when that is none. */
  value: string | null
  /** Somebody else would read it otherwise. */
  isDoubtful?: boolean
  error?: Message
  /** Somebody else has saved another value meanwhile: one of both is to be chosen. */
  conflict?: Conflict
}

/** A row that differs from what is saved. */
export interface Change<R> {
  /** The row as it was when it was changed first, with its version. */
  row: R
  /** Where it stood then. */
  at: number
  cells: ReadonlyMap<string, Cell>
  /** What is wrong with the row as a whole, as when somebody else has changed it. */
  error?: Message
}

/** All that differs from what is saved, by row and column. */
export type Changes<R> = ReadonlyMap<RowKey, Change<R>>

export type Columns<R> = ReadonlyMap<string, Column<R>>

export interface Write<R> {
  key: RowKey
  row: R
  at: number
  column: string
  text: string
}

/** Texts for cells, as a column spreads one over several. */
const spread = <R>(columns: Columns<R>, column: string, text: string, lang: Lang): [string, string][] =>
  Object.entries(columns.get(column)?.spread?.(text, lang) ?? { [column]: text })

/** What a text for a cell is, in each cell that a column spreads it over. */
export const parsedParts = <R>(columns: Columns<R>, column: string, text: string, lang: Lang) =>
  spread(columns, column, text, lang).flatMap(([id, raw]) => {
    const parsed = columns.get(id)?.parse?.(raw, lang)
    return parsed ? [{ id, raw, parsed }] : []
  })

/** Puts texts into cells, those that are none, too; a cell that is as it was saved is no change. */
export function write<R>(changes: Changes<R>, writes: readonly Write<R>[], columns: Columns<R>, lang: Lang): Changes<R> {
  const next = new Map(changes)
  const touched = new Map<RowKey, Map<string, Cell>>()
  for (const { key, row: given, at, column: written, text: whole } of writes) {
    const row = changes.get(key)?.row ?? given
    const cells = touched.get(key) ?? new Map(changes.get(key)?.cells)
    touched.set(key, cells)
    for (const { id, raw, parsed } of parsedParts(columns, written, whole, lang)) {
      const column = columns.get(id)
      if (!column || column.locked?.(row)) continue
      // whoever types into one of several that belong together has chosen
      for (const other of columns.values()) {
        const cell = cells.get(other.id)
        if (!cell?.conflict || groupOf(other) !== groupOf(column)) continue
        const { conflict: _, ...mine } = cell
        cells.set(other.id, mine)
      }
      if ('error' in parsed) cells.set(id, { raw, value: null, error: { type: 'input', message: parsed.error } })
      else if (parsed.value === column.value(row)) cells.delete(id)
      else cells.set(id, { raw, value: parsed.value, ...(parsed.isDoubtful && { isDoubtful: true }) })
    }
    const error = changes.get(key)?.error
    if (cells.size > 0) next.set(key, { row, at: changes.get(key)?.at ?? at, cells, ...(error && { error }) })
    else next.delete(key)
  }
  return next
}

export interface Refusal {
  key: RowKey
  /** Null for the row as a whole. */
  column: string | null
  message: string
}

/** What the server says of changed rows, at their cells; what it said before is over. */
export function refuse<R>(changes: Changes<R>, refusals: readonly Refusal[], columns: Columns<R>): Changes<R> {
  const next = new Map(forgive(changes))
  for (const { key, column, message } of refusals) {
    const change = next.get(key)
    if (!change) continue
    const error = { type: 'server', message }
    const field = column === null ? undefined : columns.get(column)
    if (!field) {
      next.set(key, { ...change, error })
      continue
    }
    const value = field.value(change.row)
    const cell = change.cells.get(field.id) ?? { raw: value, value }
    next.set(key, { ...change, cells: new Map(change.cells).set(field.id, { ...cell, error }) })
  }
  return next
}

/** Without what the server said. */
function forgive<R>(changes: Changes<R>): Changes<R> {
  const own = ({ type }: Message = {}) => type !== 'server'
  return new Map(
    [...changes].map(([key, { row, at, cells }]) => [
      key,
      {
        row,
        at,
        cells: new Map([...cells].map(([id, { error, ...cell }]) => [id, { ...cell, ...(error && own(error) && { error }) }])),
      },
    ]),
  )
}

/** Rows that are saved, or given up. */
export function without<R>(changes: Changes<R>, keys: Iterable<RowKey>): Changes<R> {
  const next = new Map(changes)
  for (const key of keys) next.delete(key)
  return next
}

/** Changes stand on rows as this sheet has just saved them. */
export function rebase<R>(changes: Changes<R>, rows: ReadonlyMap<RowKey, R>, columns: Columns<R>): Changes<R> {
  return new Map(
    [...changes].flatMap(([key, change]) => {
      const row = rows.get(key)
      if (row === undefined) return [[key, change] as const]
      const cells = new Map([...change.cells].filter(([id, { value }]) => value === null || value !== columns.get(id)?.value(row)))
      return cells.size > 0 ? [[key, { ...change, row, cells }] as const] : []
    }),
  )
}

export interface Fault {
  key: RowKey
  at: number
  column: string | null
}

/** Everything that is wrong, from above and from the left. */
export function faultsOf<R>(changes: Changes<R>, columns: Columns<R>): Fault[] {
  const order = [...columns.keys()]
  return [...changes]
    .sort(([, a], [, b]) => a.at - b.at)
    .flatMap(([key, { at, cells, error }]) => [
      ...(error ? [{ key, at, column: null }] : []),
      ...order.filter((column) => cells.get(column)?.error || cells.get(column)?.conflict).map((column) => ({ key, at, column })),
    ])
}

/** How many cells differ from what is saved; those that are only refused do not. */
export const countChanged = <R>(changes: Changes<R>, columns: Columns<R>): number =>
  [...changes.values()].reduce(
    (sum, { row, cells }) => sum + [...cells].filter(([id, { value }]) => value !== columns.get(id)?.value(row)).length,
    0,
  )

/** A cell holds what is no value, so that nothing can be saved. */
export const isUnreadable = <R>(changes: Changes<R>): boolean =>
  [...changes.values()].some(({ cells }) => [...cells.values()].some(({ value }) => value === null))

/** The values of a changed row: those of its cells, else the saved ones. */
export const currentValue = <R>(change: Change<R>, column: Column<R>): string =>
  change.cells.get(column.id)?.value ?? column.value(change.row)
