import { type KeyboardEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { cellAt, extentOf } from './cells'
import { opener } from './column'
import { type CellSelection, selectByKey, selectByTab } from './selection'
import type { Commands } from './use-commands'
import type { Sheet } from './use-spreadsheet'

interface Options<R> {
  sheet: Sheet<R>
  commands: Commands<R>
  /** Returns the number of visible rows. */
  page: () => number
  /** Shows a selection and focuses it. */
  select: (selection: CellSelection) => void
  /** Focuses the active cell after the next render. */
  follow: () => void
  announce: (text: string) => void
  save?: (() => void) | undefined
  /** Opens the menu of the active cell, if it has one. */
  menu?: (() => void) | undefined
  /** Widens the active column by pixels; `null` restores its default width. */
  widen: (by: number | null) => void
}

/** Changes of width in pixels, by the key pressed together with Alt and Shift. */
const WIDTH_STEPS: Readonly<Record<string, number | null>> = { ArrowLeft: -16, ArrowRight: 16, Home: null }

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }

/** True for Ctrl+S. */
export const savesSheet = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 's'

/** True for keys that type something, including dead keys and AltGr characters. */
const types = ({ key, ctrlKey, metaKey, altKey, nativeEvent }: KeyboardEvent) =>
  key === 'Dead' || key === 'Process' || (key.length === 1 && (!(ctrlKey || metaKey || altKey) || nativeEvent.getModifierState('AltGraph')))

/** Keyboard handling while no cell is edited. */
export function useKeys<R>({ sheet, commands, page, select, follow, announce, save, menu, widen }: Options<R>) {
  const { t } = useTranslation('spreadsheet')
  // Tab moves within the sheet until Escape is pressed
  const leaving = useRef(false)

  function edit(typed: string | null) {
    const located = cellAt(sheet, sheet.state.selection.active)
    if (!located) return
    const open = opener(located.column, located.row)
    if (typed === null && open) return open()
    if (!located.column.parse || located.column.locked?.(located.row)) return announce(t('readOnly'))
    announce('')
    // synchronous, so that the typed character arrives in the input
    flushSync(() => sheet.dispatch({ type: 'edit', cell: located, typed }))
  }

  /** Returns the action of a key; undefined if it has none. */
  function run(event: KeyboardEvent): (() => void) | undefined {
    const { key, shiftKey: shift } = event
    const ctrl = event.ctrlKey || event.metaKey
    const { selection } = sheet.state
    if (key === 'Enter' || key === 'F2' || (key === 'ArrowDown' && event.altKey)) return () => edit(null)
    if (key === 'Delete' || key === 'Backspace') return commands.clear
    if (key === 'F8') return () => commands.nextFault() && follow()
    if (key === 'ContextMenu' || (key === 'F10' && shift)) return menu
    const rtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const keyPress = { key: (rtl && MIRRORED[key]) || key, shift, ctrl }
    const step = WIDTH_STEPS[keyPress.key]
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
    const next = selectByKey(selection, keyPress, extentOf(sheet, page()))
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
      if (leaving.current) return announce(t('leaving'))
      const command = run(event)
      if (command) {
        event.preventDefault()
        command()
      } else if (types(event)) {
        edit('')
      }
    },
    /** Restores the meaning of Tab when the focus leaves. */
    onBlur() {
      leaving.current = false
    },
  }
}
