import { signal, useSignal } from '~/lib/signal'
import { readText, writeText } from '~/lib/storage'

const KEY = 'serviceToken'
/** When somebody last left; tells other tabs that a token has not merely expired. */
const LEFT = 'signedOut'

/**
 * none: nobody has signed in yet. out: the user left, here or in another tab. in: a token is stored.
 * timedOut: the server refused the token and nothing was at stake.
 * locked: the server refused the token while a form held unsaved input; the page stays and asks to sign in again.
 */
export type SessionPhase = 'none' | 'out' | 'in' | 'timedOut' | 'locked'
export type Session = { token: string | null; phase: SessionPhase }

const stored = (): Session => {
  const token = readText(KEY)
  return { token, phase: token ? 'in' : 'none' }
}
const state = signal(stored())
const unsaved = new Set<symbol>()

const expire = () => state.set({ token: null, phase: unsaved.size > 0 ? 'locked' : 'timedOut' })

export const session = {
  get: state.get,
  /** As the page finds it when it is loaded. */
  start: () => state.set(stored()),
  signIn(token: string) {
    writeText(KEY, token)
    state.set({ token, phase: 'in' })
  },
  signOut() {
    writeText(LEFT, String(Date.now()))
    writeText(KEY, null)
    state.set({ token: null, phase: 'out' })
  },
  /** The server refused this token. A late answer to an older token says nothing about the new one. */
  refused(token: string) {
    if (token !== state.get().token || state.get().phase !== 'in') return
    writeText(KEY, null)
    expire()
  },
  hasUnsaved: () => unsaved.size > 0,
  /** A form registers its unsaved input here; returns how to take it back. */
  holdUnsaved(): () => void {
    const key = Symbol('unsaved')
    unsaved.add(key)
    return () => {
      unsaved.delete(key)
    }
  },
  subscribe: state.subscribe,
}

// another tab signed in, was told that the session has ended, or left: then nothing stays here either, not even what was typed
window.addEventListener('storage', (event) => {
  if (event.key === LEFT && state.get().phase !== 'none') state.set({ token: null, phase: 'out' })
  if (event.key !== KEY) return
  if (event.newValue) state.set({ token: event.newValue, phase: 'in' })
  else if (state.get().phase === 'in') expire()
})

export function useSession(): Session {
  return useSignal(state)
}
