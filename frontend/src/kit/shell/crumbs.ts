import { useEffect, useSyncExternalStore } from 'react'

export interface Crumb {
  path: string
  text: string
}

const NONE: readonly Crumb[] = []
let crumbs = NONE
const listeners = new Set<() => void>()

function set(next: readonly Crumb[]) {
  crumbs = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** What a page adds to the breadcrumbs for as long as it is shown: what it shows, and which part of that. */
export function useCrumbsOf(own: readonly Crumb[]): void {
  const told = JSON.stringify(own)
  useEffect(() => {
    set(JSON.parse(told))
    return () => set(NONE)
  }, [told])
}

export const useCrumbs = (): readonly Crumb[] => useSyncExternalStore(subscribe, () => crumbs)
