import { type ActionDispatch, useMemo, useReducer } from 'react'
import { useFormat } from '~/i18n/use-format'
import { type Cells, extentOf, type Rows } from './cells'
import { type Changes, type Columns, countChanged, type Fault, faultsOf, isUnreadable, type Refusal, type RowKey } from './changes'
import type { Column } from './column'
import { type Choice, conflictsOf } from './merge-rows'
import { inside, type Point } from './selection'
import { emptySheet, type SheetAction, type SheetState, sheetReducer } from './sheet-state'

export interface Sheet<R> extends Cells<R> {
  byId: Columns<R>
  state: SheetState<R>
  dispatch: ActionDispatch<[SheetAction<R>]>
  /** So many cells differ from what is saved. */
  changed: number
  faults: readonly Fault[]
  /** What cannot be read as a value cannot be saved. */
  unreadable: boolean
  /** Values that are to be chosen, since somebody else has saved others. */
  conflicts: readonly Choice[]
  /** Keeps one's own values, or takes those of the other side. */
  choose: (choices: readonly Choice[], whose: 'mine' | 'theirs') => void
  /** Puts at their cells what the server refuses. */
  refuse: (refusals: readonly Refusal[]) => void
  /** Puts the changes upon rows as they are saved now. */
  rebase: (rows: ReadonlyMap<RowKey, R>) => void
  /** These changes are saved, and the rows are now so. */
  saved: (sent: Changes<R>, rows: ReadonlyMap<RowKey, R>) => void
  discard: () => void
}

/** A sheet's state: what is changed, selected and edited. The screen saves `changes` and says what became of them. */
export function useSpreadsheet<R>(columns: readonly Column<R>[], rows: Rows<R>): Sheet<R> {
  const { lang } = useFormat()
  const [kept, dispatch] = useReducer(sheetReducer<R>, null, emptySheet<R>)
  const { changes } = kept
  // rows may have become fewer
  const state = useMemo(() => {
    const within = (point: Point) => inside(point, extentOf({ rows, columns }))
    return { ...kept, selection: { active: within(kept.selection.active), head: within(kept.selection.head) } }
  }, [kept, rows, columns])
  const byId = useMemo(() => new Map(columns.map((column) => [column.id, column])), [columns])
  const found = useMemo(
    () => ({
      changed: countChanged(changes, byId),
      faults: faultsOf(changes, byId),
      unreadable: isUnreadable(changes),
      conflicts: conflictsOf(changes, byId),
    }),
    [changes, byId],
  )
  const tell = useMemo(
    () => ({
      refuse: (refusals: readonly Refusal[]) => dispatch({ type: 'refuse', refusals, columns: byId }),
      choose: (choices: readonly Choice[], whose: 'mine' | 'theirs') => dispatch({ type: 'choose', choices, whose, columns: byId }),
      rebase: (now: ReadonlyMap<RowKey, R>) => dispatch({ type: 'rebase', rows: now, columns: byId }),
      saved: (sent: Changes<R>, now: ReadonlyMap<RowKey, R>) => dispatch({ type: 'saved', sent, rows: now, columns: byId }),
      discard: () => dispatch({ type: 'discard' }),
    }),
    [byId],
  )
  return { columns, byId, rows, lang, state, dispatch, changes, ...found, ...tell }
}
