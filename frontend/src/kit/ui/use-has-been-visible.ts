import { type RefObject, useEffect, useState } from 'react'

/** True once an element is visible or about to be. */
export function useHasBeenVisible(ref: RefObject<Element | null>): boolean {
  const [hasBeenVisible, setHasBeenVisible] = useState(() => typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (hasBeenVisible || !ref.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setHasBeenVisible(true), { rootMargin: '200px' })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [hasBeenVisible, ref])
  return hasBeenVisible
}
