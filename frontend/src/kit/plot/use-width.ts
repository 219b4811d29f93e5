import { useCallback, useState } from 'react'

/** Measures the rendered width of an element; 640 px until it is rendered. */
export function useWidth() {
  const [width, setWidth] = useState(640)
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [width, measure] as const
}
