import type { KeyboardEvent } from 'react'
import { useRef } from 'react'
import { fold } from '~/lib/fold'
import type { MoveDirection, TreeItem, VisibleRow } from './tree'

interface Options<T> {
  rows: readonly VisibleRow<T>[]
  name: (item: T) => string
  focus: (id: number) => void
  setOpen: (ids: readonly number[], open: boolean) => void
  onOpen: (item: T) => void
  /** Moves an entry by one step; absent if entries cannot be moved. */
  onStep?: ((item: T, step: MoveDirection) => void) | undefined
}

const STEPS: Readonly<Record<string, MoveDirection>> = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'indent', ArrowLeft: 'outdent' }
/** Time in milliseconds within which typed letters belong to one name. */
const TYPING = 600

/** Keys of the ARIA tree pattern; with Alt, the arrows move the entry itself. */
export function useTreeKeys<T extends TreeItem>({ rows, name, focus, setOpen, onOpen, onStep }: Options<T>) {
  const typed = useRef({ text: '', at: 0 })

  /**
   * Next entry that begins with the typed text; undefined if there is none, so that the key is not consumed.
   */
  function search(from: number, letter: string, now: number): VisibleRow<T> | undefined {
    const text = now - typed.current.at < TYPING ? typed.current.text + letter : letter
    const startsWithText = (row: VisibleRow<T> | undefined) => row && fold(name(row.item)).startsWith(fold(text))
    // a longer text may still match the current entry
    const order = rows.map((_, step) => rows[(from + step + (text.length > 1 ? 0 : 1)) % rows.length])
    const match = order.find(startsWithText)
    if (match) typed.current = { text, at: now }
    return match
  }

  return (event: KeyboardEvent, at: number) => {
    const row = rows[at]
    if (!row || event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return
    const step = STEPS[event.key]
    if (event.altKey) {
      if (!step || !onStep) return
      // Alt and left arrow would go back in the browser
      event.preventDefault()
      onStep(row.item, step)
      return
    }
    const go = (to: VisibleRow<T> | undefined) => to && focus(to.item.id)
    switch (event.key) {
      case 'ArrowDown':
        go(rows[at + 1])
        break
      case 'ArrowUp':
        go(rows[at - 1])
        break
      case 'Home':
        go(rows[0])
        break
      case 'End':
        go(rows.at(-1))
        break
      case 'ArrowRight':
        if (row.open === false) setOpen([row.item.id], true)
        else if (row.open) go(rows[at + 1])
        break
      case 'ArrowLeft':
        if (row.open) setOpen([row.item.id], false)
        else go(rows.find(({ item }) => item.id === row.item.parent_id))
        break
      case '*':
        setOpen(
          rows.filter(({ item, open }) => item.parent_id === row.item.parent_id && open === false).map(({ item }) => item.id),
          true,
        )
        break
      case 'Enter':
      case ' ':
        onOpen(row.item)
        break
      default: {
        const match = event.key.length === 1 && !event.shiftKey ? search(at, event.key, event.timeStamp) : undefined
        if (!match) return
        focus(match.item.id)
      }
    }
    event.preventDefault()
  }
}
