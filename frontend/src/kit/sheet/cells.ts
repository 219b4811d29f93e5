import type { Lang } from '~/lib/lang'
import type { Cell, Change, Changes, RowKey } from './changes'
import type { Column } from './column'
import type { Extent, Point } from './selection'

/** Rows in their order, as far as they are loaded. */
export interface Rows<R> {
  count: number
  at: (index: number) => R | undefined
  key: (row: R) => RowKey
  /** These rows are seen, both ends included. */
  onVisible?: (first: number, last: number) => void
  /** Has these rows loaded, for what is done to more than is seen. */
  load?: (first: number, last: number) => Promise<void>
}

/** What cells are made of. */
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
  /** Where it was found. */
  at: Point
  change: Change<R> | undefined
  cell: Cell | undefined
  /** As it is now, changed or not; what cannot be read as it was typed. */
  text: string
}

/** A cell; none where its row is not loaded. */
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
