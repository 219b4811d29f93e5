import { useState } from 'react'
import type { Selection as SelectedRows } from '~/api/schema'
import type { List } from '../use-list-state'

export type BulkSelection = Required<SelectedRows>

interface ChosenRows {
  /** Filters at the time of the selection; with other filters nothing is selected. */
  of: string
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
  has: (row: Row) => boolean
  /** Selects or deselects a row; with `range`, all rows from the last toggled one. */
  toggle: (row: Row, range: boolean) => void
  togglePage: () => void
  chooseAll: () => void
  clear: () => void
  /** Reduces the selection to these rows. */
  keep: (rows: readonly { id: number; name: string }[]) => void
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
  const of = JSON.stringify([filters, tenantId])
  const [stored, setStored] = useState<ChosenRows>({ of, rows: NONE, anchor: null })
  const chosen = stored.of === of ? stored : { of, rows: NONE, anchor: null }
  const all = chosen.rows === 'all'
  const has = (row: Row) => chosen.rows === 'all' || chosen.rows.has(row.id)
  // deselecting one row ends "all": the rows of the page stay selected
  const known = () => new Map(chosen.rows === 'all' ? rows.map((row) => [row.id, name(row)]) : chosen.rows)
  const onPage = rows.filter(has).length
  const mark = (those: readonly Row[], on: boolean, anchor: number | null) => {
    const next = known()
    for (const row of those) {
      if (on) next.set(row.id, name(row))
      else next.delete(row.id)
    }
    setStored({ of, rows: next, anchor })
  }
  const count = chosen.rows === 'all' ? total : chosen.rows.size
  return {
    count,
    all,
    names: chosen.rows === 'all' ? [] : [...chosen.rows.values()],
    page: onPage === 0 ? 'none' : onPage === rows.length ? 'all' : 'some',
    has,
    toggle(row, range) {
      const at = rows.indexOf(row)
      const from = range ? rows.findIndex(({ id }) => id === chosen.anchor) : -1
      const those = from < 0 ? [row] : rows.slice(Math.min(at, from), Math.max(at, from) + 1)
      mark(those, !has(row), row.id)
    },
    togglePage: () => mark(rows, onPage < rows.length, null),
    chooseAll: () => setStored({ of, rows: 'all', anchor: null }),
    clear: () => setStored({ of, rows: NONE, anchor: null }),
    keep: (those) => setStored({ of, rows: new Map(those.map(({ id, name }) => [id, name])), anchor: null }),
    onWire: { ids: chosen.rows === 'all' ? null : [...chosen.rows.keys()], count },
  }
}
