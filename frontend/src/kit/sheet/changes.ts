import type { Message } from '~/kit/ui/message'
import type { Lang } from '~/lib/lang'
import type { SheetColumn } from './column'
import { type CellConflict, groupOf } from './merge-rows'

export type RowKey = number | string

/** Cell that was changed, or that has an error. */
export interface Cell {
  /** Text as typed or pasted. */
  raw: string
  /** Value; null if the text is invalid. */
  value: string | null
  /** True if the text is ambiguous, such as `1.234`. */
  isDoubtful?: boolean
  error?: Message
  /** Conflict with a value that another person has saved meanwhile; one of the two must be chosen. */
  conflict?: CellConflict
}

/** Changes of one row against its saved state. */
export interface RowChange<R> {
  /** Saved row, with its version, on which the changes are based. */
  row: R
  /** Index of the row at its first change. */
  at: number
  cells: ReadonlyMap<string, Cell>
  /** Error of the row as a whole, such as a change by another person. */
  error?: Message
}

/** Unsaved changes by row and column. */
export type Changes<R> = ReadonlyMap<RowKey, RowChange<R>>

export type Columns<R> = ReadonlyMap<string, SheetColumn<R>>

export interface Write<R> {
  key: RowKey
  row: R
  at: number
  column: string
  text: string
}

/** Texts by column, if the column spreads one text over several. */
const splitByColumn = <R>(columns: Columns<R>, column: string, text: string, lang: Lang): [string, string][] =>
  Object.entries(columns.get(column)?.splitText?.(text, lang) ?? { [column]: text })

/** Parses a text for each column over which it is spread. */
export const parsedParts = <R>(columns: Columns<R>, column: string, text: string, lang: Lang) =>
  splitByColumn(columns, column, text, lang).flatMap(([id, raw]) => {
    const parsed = columns.get(id)?.parse?.(raw, lang)
    return parsed ? [{ id, raw, parsed }] : []
  })

/** Writes texts into cells, including invalid ones. A cell that equals its saved value is no change. */
export function write<R>(changes: Changes<R>, writes: readonly Write<R>[], columns: Columns<R>, lang: Lang): Changes<R> {
  const next = new Map(changes)
  const cellsByRow = new Map<RowKey, Map<string, Cell>>()
  for (const { key, row: loadedRow, at, column: columnId, text: columnText } of writes) {
    const row = changes.get(key)?.row ?? loadedRow
    const cells = cellsByRow.get(key) ?? new Map(changes.get(key)?.cells)
    cellsByRow.set(key, cells)
    for (const { id, raw, parsed } of parsedParts(columns, columnId, columnText, lang)) {
      const column = columns.get(id)
      if (!column || column.locked?.(row)) continue
      // typing into one cell of a group resolves the conflict of the group
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
  /** Column of the error; null for the row as a whole. */
  column: string | null
  message: string
}

/** Puts the server's errors at the cells of changed rows and removes earlier ones. */
export function refuse<R>(changes: Changes<R>, refusals: readonly Refusal[], columns: Columns<R>): Changes<R> {
  const next = new Map(clearServerErrors(changes))
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

/** Removes the server's errors. */
function clearServerErrors<R>(changes: Changes<R>): Changes<R> {
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

/** Removes rows that are saved or discarded. */
export function removeRows<R>(changes: Changes<R>, keys: Iterable<RowKey>): Changes<R> {
  const next = new Map(changes)
  for (const key of keys) next.delete(key)
  return next
}

/** Rebases changes on rows that this sheet has just saved. */
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

/** Lists all errors, from top to bottom and from left to right. */
export function faultsOf<R>(changes: Changes<R>, columns: Columns<R>): Fault[] {
  const order = [...columns.keys()]
  return [...changes]
    .sort(([, a], [, b]) => a.at - b.at)
    .flatMap(([key, { at, cells, error }]) => [
      ...(error ? [{ key, at, column: null }] : []),
      ...order.filter((column) => cells.get(column)?.error || cells.get(column)?.conflict).map((column) => ({ key, at, column })),
    ])
}

/** Counts cells that differ from the saved state; those that only have an error do not count. */
export const countChanged = <R>(changes: Changes<R>, columns: Columns<R>): number =>
  [...changes.values()].reduce(
    (sum, { row, cells }) => sum + [...cells].filter(([id, { value }]) => value !== columns.get(id)?.value(row)).length,
    0,
  )

/** True if a cell holds an invalid text, so that nothing can be saved. */
export const isUnreadable = <R>(changes: Changes<R>): boolean =>
  [...changes.values()].some(({ cells }) => [...cells.values()].some(({ value }) => value === null))

/** Value of a changed row: that of its cell, or else the saved one. */
export const currentValue = <R>(change: RowChange<R>, column: SheetColumn<R>): string =>
  change.cells.get(column.id)?.value ?? column.value(change.row)
