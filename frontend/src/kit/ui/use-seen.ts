import { type RefObject, useEffect, useState } from 'react'

/** Whether an element has come into sight, or soon will. */
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
