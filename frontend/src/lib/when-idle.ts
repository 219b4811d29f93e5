/** Runs a function when the browser is idle; returns a function that cancels it. */
export function whenIdle(run: () => void): () => void {
  // not every browser supports requestIdleCallback
  if (!window.requestIdleCallback) {
    const timer = setTimeout(run, 2000)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: 10_000 })
  return () => cancelIdleCallback(handle)
}
