import { type ActionDispatch, useMemo, useReducer } from 'react'
import { useFormat } from '~/i18n/use-format'
import { type Cells, extentOf, type SheetRows } from './cells'
import { type Changes, type Columns, countChanged, type Fault, faultsOf, isUnreadable, type Refusal, type RowKey } from './changes'
import type { SheetColumn } from './column'
import { type ConflictGroup, conflictsOf } from './merge-rows'
import { type CellPosition, clampToExtent } from './selection'
import { emptySheet, type SheetAction, type SheetState, sheetReducer } from './sheet-state'

export interface Sheet<R> extends Cells<R> {
  byId: Columns<R>
  state: SheetState<R>
  dispatch: ActionDispatch<[SheetAction<R>]>
  /** Number of cells that differ from the saved state. */
  changed: number
  faults: readonly Fault[]
  /** True if a cell holds an invalid text, which cannot be saved. */
  unreadable: boolean
  /** Conflicts with values that other people have saved. */
  conflicts: readonly ConflictGroup[]
  /** Resolves conflicts with our own values or those of the other side. */
  choose: (choices: readonly ConflictGroup[], side: 'mine' | 'theirs') => void
  /** Puts the server's errors at their cells. */
  refuse: (refusals: readonly Refusal[]) => void
  /** Rebases the changes on the current rows. */
  rebase: (rows: ReadonlyMap<RowKey, R>) => void
  /** Marks changes as saved; `rows` is the new saved state. */
  saved: (sent: Changes<R>, rows: ReadonlyMap<RowKey, R>) => void
  discard: () => void
}

/** State of a sheet: changes, selection and editing. The screen saves `changes` and reports the result. */
export function useSpreadsheet<R>(columns: readonly SheetColumn<R>[], rows: SheetRows<R>): Sheet<R> {
  const { lang } = useFormat()
  const [sheetState, dispatch] = useReducer(sheetReducer<R>, null, emptySheet<R>)
  const { changes } = sheetState
  // the number of rows may have shrunk
  const state = useMemo(() => {
    const clampCell = (point: CellPosition) => clampToExtent(point, extentOf({ rows, columns }))
    return { ...sheetState, selection: { active: clampCell(sheetState.selection.active), head: clampCell(sheetState.selection.head) } }
  }, [sheetState, rows, columns])
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const summary = useMemo(
    () => ({
      changed: countChanged(changes, byId),
      faults: faultsOf(changes, byId),
      unreadable: isUnreadable(changes),
      conflicts: conflictsOf(changes, byId),
    }),
    [changes, byId],
  )
  const actions = useMemo(
    () => ({
      refuse: (refusals: readonly Refusal[]) => dispatch({ type: 'refuse', refusals, columns: byId }),
      choose: (choices: readonly ConflictGroup[], side: 'mine' | 'theirs') => dispatch({ type: 'choose', choices, side, columns: byId }),
      rebase: (now: ReadonlyMap<RowKey, R>) => dispatch({ type: 'rebase', rows: now, columns: byId }),
      saved: (sent: Changes<R>, now: ReadonlyMap<RowKey, R>) => dispatch({ type: 'saved', sent, rows: now, columns: byId }),
      discard: () => dispatch({ type: 'discard' }),
    }),
    [byId],
  )
  return { columns, byId, rows, lang, state, dispatch, changes, ...summary, ...actions }
}
