import { useEffect, useEffectEvent } from 'react'
import { preferences } from '~/theme/preferences'

export interface Shortcut {
  /** Single key, or "mod+Enter". */
  key: string
  label: string
}

const active = new Map<symbol, Shortcut & { run: (event: KeyboardEvent) => void }>()

const typing = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** True if a dialog, drawer or menu is above the page: single keys then belong to it. */
const isDialogOpen = () => document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null

function onKeyDown(event: KeyboardEvent) {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
  if (!preferences.get().shortcuts || typing(event.target) || isDialogOpen()) return
  // the latest registration wins: it belongs to the topmost component
  const shortcut = [...active.values()].reverse().find((candidate) => candidate.key === event.key)
  if (!shortcut) return
  event.preventDefault()
  shortcut.run(event)
}

export const activeShortcuts = (): Shortcut[] => [...active.values()]

export function useShortcut(key: string, label: string, run: (() => void) | null): void {
  const onPress = useEffectEvent(() => run?.())
  const enabled = run !== null
  useEffect(() => {
    if (!enabled) return
    const id = Symbol(key)
    if (active.size === 0) document.addEventListener('keydown', onKeyDown)
    active.set(id, { key, label, run: () => onPress() })
    return () => {
      active.delete(id)
      if (active.size === 0) document.removeEventListener('keydown', onKeyDown)
    }
  }, [key, label, enabled])
}
