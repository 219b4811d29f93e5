import { refreshed } from '~/api/change'

/** Where one can go on when what had the focus is gone. */
export function focusList(): void {
  const next = document.querySelector<HTMLElement>('[data-row-link]') ?? document.querySelector<HTMLElement>('main h1')
  next?.focus({ preventScroll: true })
}

/** The same once the list shows what has changed. Who has pressed a key or a button meanwhile keeps the focus where they took it. */
export async function focusRefreshedList(): Promise<void> {
  const listening = new AbortController()
  let wentOn = false
  const goesOn = () => {
    wentOn = true
  }
  for (const event of ['keydown', 'pointerdown']) {
    document.addEventListener(event, goesOn, { capture: true, signal: listening.signal })
  }
  // what has come is drawn in the next turn: until then the row that is gone would take the focus along
  await refreshed().then(() => new Promise((drawn) => setTimeout(drawn)))
  listening.abort()
  if (!wentOn || document.activeElement === document.body) focusList()
}
