import { type RefObject, useEffect, useState } from 'react'

/** Whether the sheet goes on beyond what is seen of it, in the direction in which one reads. */
export function useBeyond(frame: RefObject<HTMLElement | null>): boolean {
  const [beyond, setBeyond] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    // from right to left it is scrolled by negative numbers
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
