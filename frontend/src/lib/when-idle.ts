/** Does what can wait; returns how to do without. */
export function whenIdle(act: () => void): () => void {
  // not every browser has it
  if (!window.requestIdleCallback) {
    const timer = setTimeout(act, 2000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: 10_000 })
  return () => cancelIdleCallback(handle)
}
