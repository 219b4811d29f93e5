/** Runs a function when the browser is idle; returns a function that cancels it. */
export function whenIdle(act: () => void): () => void {
  // not every browser supports requestIdleCallback
  if (!window.requestIdleCallback) {
    const timer = setTimeout(act, 2000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(act, { timeout: 10_000 })
  return () => cancelIdleCallback(handle)
}
