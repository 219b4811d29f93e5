import { refreshed } from '~/api/change'

/**
 * Moves the focus to the first row of the list, or the heading, after the focused element has been removed.
 */
export function focusList(): void {
  const next = document.querySelector<HTMLElement>('[data-row-link]') ?? document.querySelector<HTMLElement>('main h1')
  next?.focus({ preventScroll: true })
}

/**
 * Moves the focus likewise after the list has been refreshed, unless the user has pressed a key or a button
 * meanwhile.
 */
export async function focusRefreshedList(): Promise<void> {
  const listening = new AbortController()
  let hasInteracted = false
  const onInteraction = () => {
    hasInteracted = true
  }
  for (const event of ['keydown', 'pointerdown']) {
    document.addEventListener(event, onInteraction, { capture: true, signal: listening.signal })
  }
  // waits for the render of the new rows; before that, the focus would disappear with the deleted row
  await refreshed().then(() => new Promise((resolve) => setTimeout(resolve)))
  listening.abort()
  if (!hasInteracted || document.activeElement === document.body) focusList()
}
