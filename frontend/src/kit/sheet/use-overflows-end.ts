import { type RefObject, useEffect, useState } from 'react'

/** True if the sheet continues beyond the visible area in reading direction. */
export function useOverflowsEnd(frame: RefObject<HTMLElement | null>): boolean {
  const [beyond, setBeyond] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    // `scrollLeft` is negative in right-to-left layouts
    const look = () => setBeyond(element.scrollWidth - element.clientWidth - Math.abs(element.scrollLeft) > 1)
    element.addEventListener('scroll', look, { passive: true })
    const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(look)
    resized?.observe(element)
    if (element.firstElementChild) resized?.observe(element.firstElementChild)
    look()
    return () => {
      element.removeEventListener('scroll', look)
      resized?.disconnect()
    }
  }, [frame])
  return beyond
}
