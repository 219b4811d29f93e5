import { signal } from '~/lib/signal'
import { backOff, queryClient } from './query'

/** Statuses of a proxy whose server does not answer, or of a server whose database does not. */
const AWAY = new Set([502, 503, 504])

/** True while the server is known to be unreachable. */
export const isOffline = signal(false)

let isChecking = false
let retryNow = () => {}

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
    retryNow = () => {
      clearTimeout(timer)
      resolve()
    }
  })

async function watch(): Promise<void> {
  isChecking = true
  for (let failures = 0; !(await answers()); failures++) {
    isOffline.set(true)
    await pause(backOff(failures))
  }
  isChecking = false
  if (!isOffline.get()) return
  isOffline.set(false)
  void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
}

/** Starts polling the server after a call has failed as if it were unreachable, until it answers. */
export function reportFailure(): void {
  if (!isChecking) void watch()
}

/** Polls the server now instead of after the backoff. */
export function checkNow(): void {
  if (isChecking) retryNow()
  else void watch()
}

/** Polls the server now, because a call has succeeded. */
export function reportSuccess(): void {
  if (isOffline.get()) retryNow()
}

/** True for a status by which the server may be unreachable. */
export const isUnavailable = (status: number) => AWAY.has(status)

window.addEventListener('offline', reportFailure)
window.addEventListener('online', () => isChecking && retryNow())
