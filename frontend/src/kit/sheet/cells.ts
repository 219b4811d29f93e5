import type { Lang } from '~/lib/lang'
import type { Cell, Change, Changes, RowKey } from './changes'
import type { Column } from './column'
import type { Extent, Point } from './selection'

/** Rows in order; a row that is not loaded is undefined. */
export interface Rows<R> {
  count: number
  at: (index: number) => R | undefined
  key: (row: R) => RowKey
  /** Called with the visible rows, both ends included. */
  onVisible?: (first: number, last: number) => void
  /** Loads rows for operations beyond the visible ones. */
  load?: (first: number, last: number) => Promise<void>
}

/** Sources of a cell's content. */
export interface Cells<R> {
  columns: readonly Column<R>[]
  rows: Rows<R>
  changes: Changes<R>
  lang: Lang
}

export interface Found<R> {
  column: Column<R>
  row: R
  key: RowKey
  /** Position at the time of the lookup. */
  at: Point
  change: Change<R> | undefined
  cell: Cell | undefined
  /** Current text, changed or not; for an invalid value the typed text. */
  text: string
}

/** Returns a cell; null if its row is not loaded. */
export function cellAt<R>({ columns, rows, changes, lang }: Cells<R>, at: Point): Found<R> | null {
  const column = columns[at.column]
  const row = rows.at(at.row)
  if (!column || row === undefined) return null
  const key = rows.key(row)
  const change = changes.get(key)
  const cell = change?.cells.get(column.id)
  const text = cell && cell.value === null ? cell.raw : column.text(cell?.value ?? column.value(change?.row ?? row), lang)
  return { column, row, key, at, change, cell, text }
}

export const extentOf = <R>({ rows, columns }: Pick<Cells<R>, 'rows' | 'columns'>, page = 1): Extent => ({
  rows: rows.count,
  columns: columns.length,
  page,
})
