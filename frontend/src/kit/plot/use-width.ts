import { useCallback, useState } from 'react'

/** How wide an element is drawn; a guess where nothing is drawn. */
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
