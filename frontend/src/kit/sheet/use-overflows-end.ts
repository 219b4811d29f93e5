import { type RefObject, useEffect, useState } from 'react'

/** True if the sheet continues beyond the visible area in reading direction. */
export function useOverflowsEnd(frame: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    // `scrollLeft` is negative in right-to-left layouts
    const update = () => setOverflows(element.scrollWidth - element.clientWidth - Math.abs(element.scrollLeft) > 1)
    element.addEventListener('scroll', update, { passive: true })
    const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(update)
    resized?.observe(element)
    if (element.firstElementChild) resized?.observe(element.firstElementChild)
    update()
    return () => {
      element.removeEventListener('scroll', update)
      resized?.disconnect()
    }
  }, [frame])
  return overflows
}
