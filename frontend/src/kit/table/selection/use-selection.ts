import { useState } from 'react'
import type { Selection as SelectedRows } from '~/api/schema'
import type { List } from '../use-list-state'

export type BulkSelection = Required<SelectedRows>

interface ChosenRows {
  /** Filters at the time of the selection; with other filters nothing is selected. */
  filterKey: string
  /** Names by id, or 'all' for all filtered rows. */
  rows: ReadonlyMap<number, string> | 'all'
  /** Start of a range. */
  anchor: number | null
}

export interface RowSelection<Row> {
  count: number
  /** True if all filtered rows of all pages are selected. */
  all: boolean
  names: string[]
  /** Share of the page that is selected. */
  page: 'none' | 'some' | 'all'
  isSelected: (row: Row) => boolean
  /** Selects or deselects a row; with `range`, all rows from the last toggled one. */
  toggle: (row: Row, range: boolean) => void
  togglePage: () => void
  chooseAll: () => void
  clear: () => void
  /** Reduces the selection to these rows. */
  selectOnly: (rows: readonly { id: number; name: string }[]) => void
  onWire: BulkSelection
}

const NONE: ReadonlyMap<number, string> = new Map()

/**
 * Selected rows of a list. The selection outlives pages and sorts, but not filters, so that no row out of
 * reach is selected.
 */
export function useSelection<Row extends { id: number }>(
  { state: { filters, tenantId } }: List,
  rows: readonly Row[],
  total: number,
  name: (row: Row) => string,
): RowSelection<Row> {
  const filterKey = JSON.stringify([filters, tenantId])
  const [stored, setStored] = useState<ChosenRows>({ filterKey, rows: NONE, anchor: null })
  const chosen = stored.filterKey === filterKey ? stored : { filterKey, rows: NONE, anchor: null }
  const all = chosen.rows === 'all'
  const isSelected = (row: Row) => chosen.rows === 'all' || chosen.rows.has(row.id)
  // deselecting one row ends "all": the rows of the page stay selected
  const selectedNames = () => new Map(chosen.rows === 'all' ? rows.map((row) => [row.id, name(row)]) : chosen.rows)
  const onPage = rows.filter(isSelected).length
  const mark = (changedRows: readonly Row[], on: boolean, anchor: number | null) => {
    const next = selectedNames()
    for (const row of changedRows) {
      if (on) next.set(row.id, name(row))
      else next.delete(row.id)
    }
    setStored({ filterKey, rows: next, anchor })
  }
  const count = chosen.rows === 'all' ? total : chosen.rows.size
  return {
    count,
    all,
    names: chosen.rows === 'all' ? [] : [...chosen.rows.values()],
    page: onPage === 0 ? 'none' : onPage === rows.length ? 'all' : 'some',
    isSelected,
    toggle(row, range) {
      const at = rows.indexOf(row)
      const from = range ? rows.findIndex(({ id }) => id === chosen.anchor) : -1
      const rangeRows = from < 0 ? [row] : rows.slice(Math.min(at, from), Math.max(at, from) + 1)
      mark(rangeRows, !isSelected(row), row.id)
    },
    togglePage: () => mark(rows, onPage < rows.length, null),
    chooseAll: () => setStored({ filterKey, rows: 'all', anchor: null }),
    clear: () => setStored({ filterKey, rows: NONE, anchor: null }),
    selectOnly: (records) => setStored({ filterKey, rows: new Map(records.map(({ id, name }) => [id, name])), anchor: null }),
    onWire: { ids: chosen.rows === 'all' ? null : [...chosen.rows.keys()], count },
  }
}
