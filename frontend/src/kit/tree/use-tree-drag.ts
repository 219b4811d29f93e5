import { type DragMoveEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { useEffect, useRef, useState } from 'react'
import { dropPlace, type Forest, type TreeItem, type TreePosition, type VisibleRow, type Zone } from './tree'

export interface DropTarget {
  id: number
  zone: Zone
  place: TreePosition
}

/** Delay in milliseconds after which a closed entry opens while another is dragged over it. */
const LOOK_INSIDE = 700
/** Share of a row's height at its top and bottom in which a drop goes before or after it. */
const EDGE = 0.28

interface Options<T extends TreeItem> {
  tree: Forest<T>
  rows: readonly VisibleRow<T>[]
  setOpen: (ids: readonly number[], open: boolean) => void
  onMove: (id: number, place: TreePosition) => void
}

/** State of a drag: the dragged entry and its drop target; positions where it must not go are no target. */
export function useTreeDrag<T extends TreeItem>({ tree, rows, setOpen, onMove }: Options<T>) {
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }))
  const [dragged, setDragged] = useState<number | null>(null)
  const [target, setTarget] = useState<DropTarget | null>(null)
  const pointer = useRef({ x: 0, y: 0 })

  useEffect(() => {
    if (dragged === null) return
    const follow = (event: PointerEvent) => {
      pointer.current = { x: event.clientX, y: event.clientY }
    }
    window.addEventListener('pointermove', follow)
    return () => window.removeEventListener('pointermove', follow)
  }, [dragged])

  const insideId = target?.zone === 'inside' ? target.id : null
  useEffect(() => {
    if (insideId === null) return
    const timer = setTimeout(() => setOpen([insideId], true), LOOK_INSIDE)
    return () => clearTimeout(timer)
  }, [insideId, setOpen])

  /** Row under the pointer, scrolling included. */
  function dropTargetAt(id: number): DropTarget | null {
    const { x, y } = pointer.current
    const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-tree-row]')
    const row = rows.find(({ item }) => String(item.id) === element?.dataset.treeRow)
    if (!element || !row) return null
    const { top, height } = element.getBoundingClientRect()
    const share = (y - top) / height
    const zone = share < EDGE ? 'before' : share > 1 - EDGE ? 'after' : 'inside'
    const place = dropPlace(tree, id, row, zone)
    return place && { id: row.item.id, zone, place }
  }

  const stop = () => {
    setDragged(null)
    setTarget(null)
  }
  return {
    dragged,
    target,
    context: {
      sensors,
      onDragStart: ({ active, activatorEvent }: { active: { id: unknown }; activatorEvent: Event }) => {
        const { clientX, clientY } = activatorEvent as PointerEvent
        pointer.current = { x: clientX, y: clientY }
        setDragged(Number(active.id))
      },
      onDragMove: ({ active }: DragMoveEvent) => {
        const next = dropTargetAt(Number(active.id))
        setTarget((before) => (before?.id === next?.id && before?.zone === next?.zone ? before : next))
      },
      onDragEnd: () => {
        const at = dragged === null ? null : dropTargetAt(dragged)
        if (dragged !== null && at) onMove(dragged, at.place)
        stop()
      },
      onDragCancel: stop,
    },
  }
}
