import { useSyncExternalStore } from 'react'

export interface Signal<T> {
  get: () => T
  set: (value: T) => void
  subscribe: (listener: () => void) => () => void
}

/** A value that is watched, inside of React and outside. */
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

/** The value of a signal, in a component that is drawn anew when it changes. */
export const useSignal = <T>({ subscribe, get }: Pick<Signal<T>, 'subscribe' | 'get'>): T => useSyncExternalStore(subscribe, get)
