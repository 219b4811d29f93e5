import { type RefObject, useEffect, useState } from 'react'

/** True once an element is visible or about to be. */
export function useSeen(ref: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(() => typeof IntersectionObserver === 'undefined')
  useEffect(() => {
    if (seen || !ref.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && setSeen(true), { rootMargin: '200px' })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [seen, ref])
  return seen
}
