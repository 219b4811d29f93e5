import { useSyncExternalStore } from 'react'
import { readJson, writeJson } from '~/lib/storage'

export type Density = 'compact' | 'standard' | 'comfortable'
export interface Preferences {
  v: 1
  density: Density
  /** Single-key shortcuts; WCAG 2.1.4 wants a way to turn them off. */
  shortcuts: boolean
}

const KEY = 'layout'
let state = readJson<Preferences>(KEY, { v: 1, density: 'standard', shortcuts: true })
const listeners = new Set<() => void>()

export const preferences = {
  get: () => state,
  set(change: Partial<Preferences>) {
    state = { ...state, ...change }
    writeJson(KEY, state)
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(preferences.subscribe, preferences.get)
}
