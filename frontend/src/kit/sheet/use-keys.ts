import { type KeyboardEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { cellAt, extentOf } from './cells'
import { opener } from './column'
import { type Selection, selectByKey, selectByTab } from './selection'
import type { Commands } from './use-commands'
import type { Sheet } from './use-spreadsheet'

interface Options<R> {
  sheet: Sheet<R>
  commands: Commands<R>
  /** Rows that are seen at once. */
  page: () => number
  /** Shows a selection and takes the focus there. */
  select: (selection: Selection) => void
  /** The focus goes to the active cell, wherever that will be. */
  follow: () => void
  say: (text: string) => void
  save?: (() => void) | undefined
  /** Opens the menu of the active cell, if it has one. */
  menu?: (() => void) | undefined
  /** Makes the active column wider by pixels; `null` gives it back its own width. */
  widen: (by: number | null) => void
}

/** Steps of widths in pixels, by the keys that make them together with Alt and Shift. */
const WIDTH_STEPS: Readonly<Record<string, number | null>> = { ArrowLeft: -16, ArrowRight: 16, Home: null }

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** Ctrl+S, with which applications save. */
export const savesSheet = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 's'

/** A key that writes something, be it the first half of an accent or a sign of the keyboard's third level. */
const types = ({ key, ctrlKey, metaKey, altKey, nativeEvent }: KeyboardEvent) =>
  key === 'Dead' || key === 'Process' || (key.length === 1 && (!(ctrlKey || metaKey || altKey) || nativeEvent.getModifierState('AltGraph')))

/** The keys of spreadsheets while no cell is edited. */
export function useKeys<R>({ sheet, commands, page, select, follow, say, save, menu, widen }: Options<R>) {
  const { t } = useTranslation('spreadsheet')
  // Tab is the sheet's until Escape was pressed
  const leaving = useRef(false)

  function edit(typed: string | null) {
    const found = cellAt(sheet, sheet.state.selection.active)
    if (!found) return
    const open = opener(found.column, found.row)
    if (typed === null && open) return open()
    if (!found.column.parse || found.column.locked?.(found.row)) return say(t('readOnly'))
    say('')
    // at once, so that what is typed arrives in the field
    flushSync(() => sheet.dispatch({ type: 'edit', cell: found, typed }))
  }

  /** What a key does; undefined for keys that do nothing here. */
  function run(event: KeyboardEvent): (() => void) | undefined {
    const { key, shiftKey: shift } = event
    const ctrl = event.ctrlKey || event.metaKey
    const { selection } = sheet.state
    if (key === 'Enter' || key === 'F2' || (key === 'ArrowDown' && event.altKey)) return () => edit(null)
    if (key === 'Delete' || key === 'Backspace') return commands.clear
    if (key === 'F8') return () => commands.nextFault() && follow()
    if (key === 'ContextMenu' || (key === 'F10' && shift)) return menu
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const pressed = { key: (rtl && MIRRORED[key]) || key, shift, ctrl }
    const step = WIDTH_STEPS[pressed.key]
    if (event.altKey) return shift && !ctrl && step !== undefined ? () => widen(step) : undefined
    if (savesSheet(event)) return save
    if (ctrl && key.toLowerCase() === 'd') return commands.fillDown
    const undoes = ctrl && ({ z: shift ? commands.redo : commands.undo, y: commands.redo } as Record<string, () => void>)[key.toLowerCase()]
    if (undoes) {
      return () => {
        undoes()
        follow()
      }
    }
    const next = selectByKey(selection, pressed, extentOf(sheet, page()))
    return next ? () => select(next) : undefined
  }

  return {
    edit,
    onKeyDown(event: KeyboardEvent) {
      if (sheet.state.editing || sheet.rows.count === 0) return
      if (event.key === 'Tab') {
        const next = leaving.current ? null : selectByTab(sheet.state.selection, event.shiftKey, extentOf(sheet))
        if (!next) return
        event.preventDefault()
        return select(next)
      }
      if (event.key === 'Shift') return
      leaving.current = event.key === 'Escape'
      if (leaving.current) return say(t('leaving'))
      const does = run(event)
      if (does) {
        event.preventDefault()
        does()
      } else if (types(event)) {
        edit('')
      }
    },
    /** Who comes back finds Tab as it was. */
    onBlur() {
      leaving.current = false
    },
  }
}
