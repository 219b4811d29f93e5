import { type MouseEvent, type RefObject, useState } from 'react'
import { ActionMenu, type RowAction } from '~/kit/ui/row-menu'
import { cellAt } from './cells'
import type { SheetColumn } from './column'
import { type CellPosition, type CellSelection, singleCell } from './selection'
import { cellPositionAt } from './use-pointer'
import type { Sheet } from './use-spreadsheet'

/** Actions that a cell offers. */
export type CellActions<R> = (row: R, column: SheetColumn<R>) => readonly RowAction[]

interface Options<R> {
  sheet: Sheet<R>
  actions: CellActions<R> | undefined
  frame: RefObject<HTMLElement | null>
  select: (selection: CellSelection) => void
  /** Returns the focus to the active cell. */
  follow: () => void
}

/**
 * Context menu of a cell: opened by the right mouse button, Shift+F10, the menu key, or a button of the
 * status bar.
 */
export function useCellMenu<R>({ sheet, actions, frame, select, follow }: Options<R>) {
  const [menu, setMenu] = useState<{ actions: readonly RowAction[]; top: number; left: number } | null>(null)

  function actionsAt(at: CellPosition): readonly RowAction[] {
    const located = sheet.state.editing ? undefined : cellAt(sheet, at)
    return located && actions ? actions(located.row, located.column) : []
  }

  /** Opens the menu below a cell; false if it has none. */
  function open(at: CellPosition): boolean {
    const cellActions = actionsAt(at)
    const cell = frame.current?.querySelector(`[data-row="${at.row}"] > [data-column="${at.column}"]`)
    if (cellActions.length === 0 || !cell) return false
    const { bottom, left } = cell.getBoundingClientRect()
    setMenu({ actions: cellActions, top: bottom, left })
    return true
  }

  function close() {
    setMenu(null)
    follow()
  }

  const { active } = sheet.state.selection
  return {
    /** Opens the menu of the active cell; undefined if it has none. */
    openActive: actionsAt(active).length > 0 ? () => open(active) : undefined,
    onContextMenu(event: MouseEvent) {
      const at = cellPositionAt(event.target)
      if (!at || !open(at)) return
      event.preventDefault()
      select(singleCell(at))
    },
    menu: menu && (
      <ActionMenu
        open
        anchorReference="anchorPosition"
        anchorPosition={{ top: menu.top, left: menu.left }}
        actions={menu.actions}
        onClose={close}
      />
    ),
  }
}
