import { useSyncExternalStore } from 'react'

export interface Signal<T> {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** Observable value, for use inside and outside of React. */
export function signal<T>(value: T): Signal<T> {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}

/** Value of a signal; the component renders again when it changes. */
export const useSignal = <T>({ subscribe, get }: Pick<Signal<T>, 'subscribe' | 'get'>): T => useSyncExternalStore(subscribe, get)
