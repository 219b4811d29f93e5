import { onTestFinished, vi } from 'vitest'

/**
 * Extends timeouts of `from` milliseconds to `to` until the test ends: on a slow machine they would end
 * before they are seen.
 */
export function stretchTimeouts(from: number, to: number): void {
  const { setTimeout } = globalThis
  // Node's HTTP client passes an argument to its timeouts
  const stretched = (callback: () => void, ms?: number, ...rest: unknown[]) => setTimeout(callback, ms === from ? to : ms, ...rest)
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(stretched as typeof setTimeout)
  onTestFinished(() => spy.mockRestore())
}
