import { signal, useSignal } from '~/lib/signal'
import { readText, writeText } from '~/lib/storage'

const KEY = 'serviceToken'
/** Storage key of the last sign-out; tells other tabs that the token has not merely expired. */
const LEFT = 'signedOut'

/**
 * Phases of a session:
 *
 * - none: no user has signed in yet.
 * - out: the user signed out, here or in another tab.
 * - in: a token is stored.
 * - timedOut: the server refused the token, and there was no unsaved input.
 * - locked: the server refused the token while a form had unsaved input; the page stays and asks to sign in
 *   again.
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
  /** Reads the stored session, as on page load. */
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
  /**
   * Ends the session whose token the server has refused. A late answer to an older token does not concern
   * the new one.
   */
  handleRefusedToken(token: string) {
    if (token !== state.get().token || state.get().phase !== 'in') return
    writeText(KEY, null)
    expire()
  },
  hasUnsaved: () => unsaved.size > 0,
  /** Registers unsaved input of a form; returns a function that unregisters it. */
  holdUnsaved(): () => void {
    const key = Symbol('unsaved')
    unsaved.add(key)
    return () => {
      unsaved.delete(key)
    }
  },
  subscribe: state.subscribe,
}

// another tab has signed in, expired or signed out; after a sign-out nothing stays here either, not even
// unsaved input
window.addEventListener('storage', (event) => {
  if (event.key === LEFT && state.get().phase !== 'none') state.set({ token: null, phase: 'out' })
  if (event.key !== KEY) return
  if (event.newValue) state.set({ token: event.newValue, phase: 'in' })
  else if (state.get().phase === 'in') expire()
})

export function useSession(): Session {
  return useSignal(state)
}
