import { type MouseEvent, type PointerEvent, type RefObject, useRef, useState } from 'react'
import { useLatest } from '~/lib/use-latest'
import { stretch } from './block'
import { extentOf } from './cells'
import { type Block, blockOf, type CellPosition, type CellSelection, clampToExtent, singleCell } from './selection'
import type { Commands } from './use-commands'
import type { Sheet } from './use-spreadsheet'

interface Options<R> {
  sheet: Sheet<R>
  commands: Commands<R>
  frame: RefObject<HTMLDivElement | null>
  rowHeight: number
  select: (selection: CellSelection, reveal?: boolean) => void
  edit: (typed: null) => void
}

/** Scroll speed beyond the sheet's edge: pixels per frame for each pixel of distance. */
const SPEED = 0.25

export function cellPositionAt(target: EventTarget | null): CellPosition | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null
  const row = cell?.closest<HTMLElement>('[data-row]')
  return cell && row ? { row: Number(row.dataset.row), column: Number(cell.dataset.column) } : null
}

/**
 * Pointer handling: mouse and pen drag a selection, while a finger scrolls; the fill handle can be dragged
 * by all of them.
 */
export function usePointer<R>({ sheet, commands, frame, rowHeight, select, edit }: Options<R>) {
  const [filling, setFilling] = useState<Block | null>(null)
  const drag = useRef<{ fill: Block | null; x: number; y: number; frame: number } | null>(null)
  const isTouch = useRef(false)
  const latest = useLatest(sheet.state.selection)

  /** Cell below the pointer; beyond the sheet's edge the outermost one. */
  function cellBelow({ x, y }: { x: number; y: number }): CellPosition | null {
    if (!frame.current) return null
    const { scrollTop, clientWidth, clientHeight } = frame.current
    const edge = frame.current.getBoundingClientRect()
    const heads = [...frame.current.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect())
    const top = heads[0]?.bottom ?? edge.top
    const down = Math.max(top, Math.min(y, edge.top + clientHeight - 1)) - top
    const across = Math.max(edge.left + 1, Math.min(x, edge.left + clientWidth - 1))
    // sticky columns come first and cover the others
    const column = heads.findIndex(({ left, right }) => left <= across && across < right)
    return column < 0 ? null : clampToExtent({ row: Math.floor((down + scrollTop) / rowHeight), column }, extentOf(sheet))
  }

  function extendSelection() {
    const dragState = drag.current
    const to = dragState && cellBelow(dragState)
    if (!to) return
    if (dragState.fill) setFilling(stretch(dragState.fill, to))
    else select({ active: latest.current.active, head: to }, false)
  }

  /** Scrolls while the pointer is beyond the edge. */
  function scroll() {
    const dragState = drag.current
    if (!dragState || !frame.current) return
    const edge = frame.current.getBoundingClientRect()
    const overshoot = (at: number, from: number, to: number) => (at < from ? at - from : Math.max(at - to, 0))
    const overshootY = overshoot(dragState.y, edge.top, edge.bottom)
    const overshootX = overshoot(dragState.x, edge.left, edge.right)
    if (overshootY !== 0 || overshootX !== 0) {
      frame.current.scrollBy(overshootX * SPEED, overshootY * SPEED)
      extendSelection()
    }
    dragState.frame = requestAnimationFrame(scroll)
  }

  const begin = ({ clientX: x, clientY: y }: PointerEvent, fill: Block | null) => {
    drag.current = { fill, x, y, frame: requestAnimationFrame(scroll) }
  }

  function end(event: PointerEvent<HTMLElement>) {
    if (!drag.current) return
    cancelAnimationFrame(drag.current.frame)
    const { fill } = drag.current
    drag.current = null
    if (fill && filling && event.type === 'pointerup') commands.fill(filling)
    setFilling(null)
  }

  return {
    filling,
    handlers: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        isTouch.current = event.pointerType === 'touch'
        if (event.button !== 0 || (event.target as Element).closest('input, select')) return
        const { selection } = sheet.state
        // the blur commits the value of the input
        if (sheet.state.editing && document.activeElement instanceof HTMLElement) document.activeElement.blur()
        if ((event.target as Element).closest('[data-fill]')) {
          event.preventDefault()
          return begin(event, blockOf(selection))
        }
        const at = cellPositionAt(event.target)
        if (!at || isTouch.current) return
        select(event.shiftKey ? { active: selection.active, head: at } : singleCell(at))
        begin(event, null)
      },
      /** Prevents text selection and the browser's focus; `select` sets the focus. */
      onMouseDown(event: MouseEvent<HTMLElement>) {
        if (!(event.target as Element).closest('input, select')) event.preventDefault()
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (!drag.current) return
        // only on a move: otherwise clicks would be sent to the sheet instead of the cell
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current.x = event.clientX
        drag.current.y = event.clientY
        extendSelection()
      },
      onPointerUp: end,
      onPointerCancel: end,
      onDoubleClick(event: { target: EventTarget }) {
        if (!isTouch.current && cellPositionAt(event.target)) edit(null)
      },
      /** First tap selects a cell, a tap on the active cell edits it. */
      onClick(event: { target: EventTarget }) {
        const at = cellPositionAt(event.target)
        if (!isTouch.current || !at || (event.target as Element).closest('input, select, [data-fill]')) return
        const { active } = sheet.state.selection
        if (active.row === at.row && active.column === at.column) edit(null)
        else select(singleCell(at))
      },
    },
  }
}
