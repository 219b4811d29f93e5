import { type PointerEvent, useCallback, useRef, useState } from 'react'
import { useLatest } from '~/lib/use-latest'
import { fitView, type GeoPoint, type MapPoint, panView, type Size, type View, zoomView } from './view'

/** Distance in pixels that an arrow key moves the map. */
export const STEP = 80
export const FACTOR = 1.5
/** Distance in pixels from which a pointer pans; less is a click. */
const DRAG_THRESHOLD = 4

const between = (a: MapPoint, b: MapPoint): MapPoint => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })
const distance = (a: MapPoint, b: MapPoint) => Math.hypot(a.x - b.x, a.y - b.y)

/** View of a map: all places, until a pointer, the wheel or a key changes it. */
export function useView(places: readonly GeoPoint[], size: Size) {
  const [own, setOwn] = useState<View | null>(null)
  const fittedView = fitView(places, size)
  const change = (next: (view: View) => View) => setOwn((view) => next(view ?? fittedView))
  return {
    view: own ?? fittedView,
    pan: (by: MapPoint) => change((view) => panView(view, by)),
    zoom: (factor: number, at?: MapPoint) => change((view) => zoomView(view, size, factor, at)),
    showWhole: () => setOwn(null),
  }
}

type Moves = Pick<ReturnType<typeof useView>, 'pan' | 'zoom'>

/** Pans with one pointer and zooms with two. `wasMoved` is true if the following click ends a movement. */
export function usePointers({ pan, zoom }: Moves) {
  const pointers = useRef(new Map<number, MapPoint>())
  const start = useRef<MapPoint | null>(null)
  const hasMoved = useRef(false)

  const at = (event: PointerEvent<Element>): MapPoint => {
    const { left, top } = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  function onPointerDown(event: PointerEvent<Element>) {
    if (event.button !== 0) return
    if (pointers.current.size === 0) {
      start.current = at(event)
      hasMoved.current = false
    }
    pointers.current.set(event.pointerId, at(event))
  }

  function onPointerMove(event: PointerEvent<Element>) {
    const before = pointers.current.get(event.pointerId)
    if (!before) return
    // the button was released outside of the map before the movement was captured
    if (event.buttons === 0) return onPointerUp(event)
    const now = at(event)
    if (!hasMoved.current && pointers.current.size === 1 && start.current && distance(start.current, now) < DRAG_THRESHOLD) return
    // prevents following a link below the pointer, and continues the movement outside of the map
    if (!hasMoved.current) event.currentTarget.setPointerCapture?.(event.pointerId)
    hasMoved.current = true
    pointers.current.set(event.pointerId, now)
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1]
    if (!other) return pan({ x: before.x - now.x, y: before.y - now.y })
    const [from, to] = [between(before, other), between(now, other)]
    zoom(distance(now, other) / Math.max(distance(before, other), 1), from)
    pan({ x: from.x - to.x, y: from.y - to.y })
  }

  function onPointerUp(event: PointerEvent<Element>) {
    pointers.current.delete(event.pointerId)
  }

  return {
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: onPointerUp },
    wasMoved: () => hasMoved.current,
  }
}

/**
 * Zooms with the wheel. It needs a native listener, since React's own is passive and cannot prevent the page
 * from scrolling.
 */
export function useWheel(zoom: Moves['zoom']) {
  const latest = useLatest(zoom)
  return useCallback(
    (element: Element | null) => {
      if (!element) return
      function onWheel(event: Event) {
        const { deltaY, deltaMode, clientX, clientY } = event as WheelEvent
        event.preventDefault()
        const { left, top } = (element as Element).getBoundingClientRect()
        const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? deltaY * 16 : deltaY
        latest.current(Math.exp(-pixels * 0.0015), { x: clientX - left, y: clientY - top })
      }
      element.addEventListener('wheel', onWheel, { passive: false })
      return () => element.removeEventListener('wheel', onWheel)
    },
    [latest],
  )
}
