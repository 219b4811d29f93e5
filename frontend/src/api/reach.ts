import { signal } from '~/lib/signal'
import { backOff, queryClient } from './query'

/** What answers for a server that does not, or a server whose database does not. */
const AWAY = new Set([502, 503, 504])

/** Whether the server is known not to answer. */
export const away = signal(false)

let asking = false
let knock = () => {}

async function answers(): Promise<boolean> {
  try {
    const { status } = await globalThis.fetch(`${location.origin}/readyz`, { cache: 'no-store', signal: AbortSignal.timeout(10_000) })
    return !AWAY.has(status)
  } catch {
    return false
  }
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    knock = () => {
      clearTimeout(timer)
      resolve()
    }
  })

async function watch(): Promise<void> {
  asking = true
  for (let failures = 0; !(await answers()); failures++) {
    away.set(true)
    await pause(backOff(failures))
  }
  asking = false
  if (!away.get()) return
  away.set(false)
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}

/** A call went wrong as if nobody were there: asks until somebody is. */
export function doubt(): void {
  if (!asking) void watch()
}

/** The same without waiting for the next turn. */
export function askNow(): void {
  if (asking) knock()
  else void watch()
}

/** A call was answered: whoever was away is back. */
export function heard(): void {
  if (away.get()) knock()
}

/** A status that makes one doubt. */
export const isAway = (status: number) => AWAY.has(status)

window.addEventListener('offline', doubt)
window.addEventListener('online', () => asking && knock())
