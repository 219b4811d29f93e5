import type { Lang } from '~/lib/lang'
import type { LocatedCell } from './cells'
import { type Changes, type Columns, type Refusal, type RowKey, rebase, refuse, removeRows, type Write, write } from './changes'
import { type ConflictGroup, choose, mergeRows } from './merge-rows'
import { type CellSelection, singleCell } from './selection'

interface Step<R> {
  changes: Changes<R>
  selection: CellSelection
}

export interface SheetState<R> extends Step<R> {
  past: readonly Step<R>[]
  future: readonly Step<R>[]
  /** Cell being edited, and the text typed over its content; null if editing started with the content. */
  editing: { cell: LocatedCell<R>; typed: string | null } | null
}

export type SheetAction<R> =
  | { type: 'select'; selection: CellSelection }
  | { type: 'edit'; cell: LocatedCell<R>; typed: string | null }
  | { type: 'cancel' }
  | { type: 'write'; writes: readonly Write<R>[]; selection?: CellSelection; columns: Columns<R>; lang: Lang }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'refuse'; refusals: readonly Refusal[]; columns: Columns<R> }
  | { type: 'rebase'; rows: ReadonlyMap<RowKey, R>; columns: Columns<R> }
  | { type: 'choose'; choices: readonly ConflictGroup[]; side: 'mine' | 'theirs'; columns: Columns<R> }
  | { type: 'saved'; sent: Changes<R>; rows: ReadonlyMap<RowKey, R>; columns: Columns<R> }
  | { type: 'discard' }

/** Number of steps that can be undone. */
const STEPS = 100

export const emptySheet = <R>(): SheetState<R> => ({
  changes: new Map(),
  selection: singleCell({ row: 0, column: 0 }),
  past: [],
  future: [],
  editing: null,
})

/**
 * Reducer of a sheet. Steps store snapshots of the changes, so that a paste is undone as one step; maps are
 * immutable, and snapshots share unchanged rows.
 */
export function sheetReducer<R>(state: SheetState<R>, action: SheetAction<R>): SheetState<R> {
  const { changes, selection, past, future } = state
  const currentStep = { changes, selection }
  switch (action.type) {
    case 'select':
      return { ...state, selection: action.selection, editing: null }
    case 'edit':
      return { ...state, selection: singleCell(selection.active), editing: { cell: action.cell, typed: action.typed } }
    case 'cancel':
      return { ...state, editing: null }
    case 'write': {
      const next = { ...state, editing: null, selection: action.selection ?? selection }
      const newChanges = write(changes, action.writes, action.columns, action.lang)
      return equalChanges(changes, newChanges)
        ? next
        : { ...next, changes: newChanges, past: [...past, currentStep].slice(-STEPS), future: [] }
    }
    case 'undo': {
      const step = past.at(-1)
      return step ? { ...step, past: past.slice(0, -1), future: [currentStep, ...future], editing: null } : state
    }
    case 'redo': {
      const [step, ...rest] = future
      return step ? { ...step, past: [...past, currentStep], future: rest, editing: null } : state
    }
    case 'refuse':
      return { ...state, changes: refuse(changes, action.refusals, action.columns) }
    // earlier steps are dropped, because they are based on other rows
    case 'rebase':
      if (action.rows.size === 0) return state
      return { ...state, changes: mergeRows(changes, action.rows, action.columns), past: [], future: [] }
    case 'choose': {
      const chosen = choose(changes, action.choices, action.side, action.columns)
      return { ...state, changes: chosen, past: [...past, currentStep].slice(-STEPS), future: [], editing: null }
    }
    // cells changed again during the save stay changed, rebased on the saved rows
    case 'saved': {
      const done = [...action.sent].filter(([key, sent]) => changes.get(key) === sent).map(([key]) => key)
      return { ...state, changes: rebase(removeRows(changes, done), action.rows, action.columns), past: [], future: [] }
    }
    case 'discard':
      return { ...state, changes: new Map(), past: changes.size > 0 ? [...past, currentStep] : past, future: [], editing: null }
  }
}

/** True if a write changed nothing. */
function equalChanges<R>(before: Changes<R>, after: Changes<R>): boolean {
  if (before.size !== after.size) return false
  return [...after].every(([key, { cells }]) => {
    const old = before.get(key)?.cells
    return (
      old?.size === cells.size &&
      [...cells].every(
        ([id, { raw, error, conflict }]) =>
          old.get(id)?.raw === raw && old.get(id)?.error?.type === error?.type && old.get(id)?.conflict === conflict,
      )
    )
  })
}
