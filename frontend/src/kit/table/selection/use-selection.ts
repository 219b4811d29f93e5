import { useState } from 'react'
import type { Selection as SelectedRows } from '~/api/schema'
import type { List } from '../use-list-state'

export type BulkSelection = Required<SelectedRows>

interface Chosen {
  /** What was searched and filtered when it was chosen: with another filter nothing is. */
  of: string
  /** Names by id, or all that the filters match. */
  rows: ReadonlyMap<number, string> | 'all'
  /** Where a range begins. */
  anchor: number | null
}

export interface Selection<Row> {
  count: number
  /** All that the filters match, on all pages. */
  all: boolean
  names: string[]
  /** How much of the page is chosen. */
  page: 'none' | 'some' | 'all'
  has: (row: Row) => boolean
  /** With `range`, everything from the row that was last chosen or left. */
  toggle: (row: Row, range: boolean) => void
  togglePage: () => void
  chooseAll: () => void
  clear: () => void
  /** Of what was chosen, these stay so. */
  keep: (rows: readonly { id: number; name: string }[]) => void
  onWire: BulkSelection
}

const NONE: ReadonlyMap<number, string> = new Map()

/** Which rows of a list are chosen. It outlives pages and sorts, not filters: nothing is chosen that is out of sight for good. */
export function useSelection<Row extends { id: number }>(
  { state: { filters, tenantId } }: List,
  rows: readonly Row[],
  total: number,
  name: (row: Row) => string,
): Selection<Row> {
  const of = JSON.stringify([filters, tenantId])
  const [stored, set] = useState<Chosen>({ of, rows: NONE, anchor: null })
  const chosen = stored.of === of ? stored : { of, rows: NONE, anchor: null }
  const all = chosen.rows === 'all'
  const has = (row: Row) => chosen.rows === 'all' || chosen.rows.has(row.id)
  // one that is left leaves "all" as well: those of the page stay
  const known = () => new Map(chosen.rows === 'all' ? rows.map((row) => [row.id, name(row)]) : chosen.rows)
  const onPage = rows.filter(has).length
  const mark = (those: readonly Row[], on: boolean, anchor: number | null) => {
    const next = known()
    for (const row of those) {
      if (on) next.set(row.id, name(row))
      else next.delete(row.id)
    }
    set({ of, rows: next, anchor })
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
    chooseAll: () => set({ of, rows: 'all', anchor: null }),
    clear: () => set({ of, rows: NONE, anchor: null }),
    keep: (those) => set({ of, rows: new Map(those.map(({ id, name }) => [id, name])), anchor: null }),
    onWire: { ids: chosen.rows === 'all' ? null : [...chosen.rows.keys()], count },
  }
}
