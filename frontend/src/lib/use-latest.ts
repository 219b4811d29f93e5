import { type RefObject, useInsertionEffect, useRef } from 'react'

/**
 * Ref to the latest rendered value, for stable or asynchronous handlers. It must not be read while
 * rendering.
 */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  // runs before any other effect can call such a handler
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
