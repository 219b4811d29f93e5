import { type RefObject, useInsertionEffect, useRef } from 'react'

/** What was rendered last, for handlers that stay the same or come back later. Not to be read while rendering. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  // before any other effect may call such a handler
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
