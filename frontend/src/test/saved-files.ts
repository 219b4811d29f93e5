import { onTestFinished, vi } from 'vitest'

/** Collects the names of files that the app saves until the test ends; jsdom would open their addresses. */
export function collectSavedFiles(): string[] {
  const names: string[] = []
  const spy = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  onTestFinished(() => spy.mockRestore())
  return names
}
