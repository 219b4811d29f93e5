import { useSyncExternalStore } from 'react'

interface Progress {
  done: number
  of: number
}

let state: Progress | null = null
const listeners = new Set<() => void>()

/** How many of the articles whose values are changed have had their turn; null while none are changed. */
export const progress = {
  set(next: Progress | null) {
    state = next
    for (const listener of listeners) listener()
  },
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useProgress = () => useSyncExternalStore(subscribe, () => state)
