import type { Lang } from '~/lib/lang'
import type { Cell, Changes, RowChange, RowKey } from './changes'
import type { SheetColumn } from './column'
import type { CellPosition, Extent } from './selection'

/** Rows in order; a row that is not loaded is undefined. */
export interface SheetRows<R> {
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
  columns: readonly SheetColumn<R>[]
  rows: SheetRows<R>
  changes: Changes<R>
  lang: Lang
}

export interface LocatedCell<R> {
  column: SheetColumn<R>
  row: R
  key: RowKey
  /** Position at the time of the lookup. */
  at: CellPosition
  change: RowChange<R> | undefined
  cell: Cell | undefined
  /** Current text, changed or not; for an invalid value the typed text. */
  text: string
}

/** Returns a cell; null if its row is not loaded. */
export function cellAt<R>({ columns, rows, changes, lang }: Cells<R>, at: CellPosition): LocatedCell<R> | null {
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
