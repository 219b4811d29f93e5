import { merge } from '~/kit/form/merge'
import type { Cell, Changes, Columns, RowChange, RowKey } from './changes'
import type { SheetColumn } from './column'

/** Value that another person has saved in a cell also changed here, and the value before both changes. */
export interface CellConflict {
  theirs: string
  base: string
}

/**
 * Group of a column. Columns of a group are one value together, such as a price with its quantity and unit.
 */
export const groupOf = <R>({ group, id }: SheetColumn<R>): string => group ?? id

const groupsOf = <R>(columns: Columns<R>) => {
  const groups = new Map<string, SheetColumn<R>[]>()
  for (const column of columns.values()) if (column.parse) groups.set(groupOf(column), [...(groups.get(groupOf(column)) ?? []), column])
  return groups
}

/** Rebases the cells of a changed row on the current row; a cell that both sides changed gets a conflict. */
function mergeRow<R>(change: RowChange<R>, now: R, columns: Columns<R>): Map<string, Cell> {
  const groups = groupsOf(columns)
  const ownValue = ({ id, value }: SheetColumn<R>) => {
    const cell = change.cells.get(id)
    return cell ? (cell.value ?? cell.raw) : value(change.row)
  }
  const values = (read: (column: SheetColumn<R>) => string) => Object.fromEntries([...groups].map(([group, own]) => [group, own.map(read)]))
  const merged = merge(
    values(ownValue),
    values(({ value }) => value(change.row)),
    values(({ value }) => value(now)),
    {},
  )
  const conflictFields = new Set(merged.conflicts.map(({ field }) => field))
  const cells = new Map<string, Cell>()
  for (const [group, own] of groups)
    for (const column of own) {
      const cell = change.cells.get(column.id)
      const [theirs, base, mine] = [column.value(now), column.value(change.row), ownValue(column)]
      if (!conflictFields.has(group)) {
        if (cell && (cell.value === null || cell.value !== theirs)) cells.set(column.id, cell)
      } else if (cell?.value === null || mine !== theirs) {
        cells.set(column.id, { ...(cell ?? { raw: mine, value: mine }), conflict: { theirs, base } })
      }
    }
  return cells
}

/**
 * Rebases changes on rows that another person has changed meanwhile; cells that both changed get a conflict.
 */
export const mergeRows = <R>(changes: Changes<R>, rows: ReadonlyMap<RowKey, R>, columns: Columns<R>): Changes<R> =>
  new Map(
    [...changes].flatMap(([key, change]) => {
      const now = rows.get(key)
      if (now === undefined) return [[key, change] as const]
      const cells = mergeRow(change, now, columns)
      return cells.size > 0 ? [[key, { ...change, row: now, cells }] as const] : []
    }),
  )

/** Conflict to resolve: the group of columns in one row. */
export interface ConflictGroup {
  key: RowKey
  group: string
}

/** Lists all conflicts. */
export const conflictsOf = <R>(changes: Changes<R>, columns: Columns<R>): ConflictGroup[] =>
  [...changes].flatMap(([key, { cells }]) => {
    const groups = [...columns.values()].filter(({ id }) => cells.get(id)?.conflict).map(groupOf)
    return [...new Set(groups)].map((group) => ({ key, group }))
  })

/** Resolves conflicts with our own values or those of the other side. */
export function choose<R>(
  changes: Changes<R>,
  choices: readonly ConflictGroup[],
  side: 'mine' | 'theirs',
  columns: Columns<R>,
): Changes<R> {
  const next = new Map(changes)
  for (const { key, group } of choices) {
    const change = next.get(key)
    if (!change) continue
    const cells = new Map(change.cells)
    for (const column of columns.values()) {
      const cell = cells.get(column.id)
      if (!cell?.conflict || groupOf(column) !== group) continue
      const { conflict: _, ...mine } = cell
      if (side === 'mine') cells.set(column.id, mine)
      else cells.delete(column.id)
    }
    if (cells.size > 0) next.set(key, { ...change, cells })
    else next.delete(key)
  }
  return next
}
