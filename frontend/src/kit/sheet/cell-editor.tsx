import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { Choice } from './column'
import { savesSheet } from './use-keys'

interface Props {
  label: string
  /** What it begins with. */
  initial: string
  /** It began by typing over what the cell holds: arrows then leave it, and what is left is taken. */
  over: boolean
  numeric: boolean
  /** What there is to choose from; none for what is typed, of which the column says what it is. */
  choices?: readonly Choice[] | undefined
  invalid: boolean
  /** `key` is the one that ends it; none where the field was left otherwise. */
  onCommit: (text: string, key: KeyboardEvent | null) => void
  onCancel: () => void
  /** Saves the sheet, with what is entered here. */
  onSave?: (() => void) | undefined
}

const ENDS = /^(Enter|Tab)$/
const ARROWS = /^Arrow(Up|Down|Left|Right)$/

/** The field in a cell while it is edited. */
export function CellEditor({ label, initial, over, numeric, choices, invalid, onCommit, onCancel, onSave }: Props) {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const done = useRef(false)

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true })
    // the caret stands behind what is there
    if (field.current instanceof HTMLInputElement) field.current.setSelectionRange(initial.length, initial.length)
  }, [initial])

  function end(key: KeyboardEvent | null) {
    const text = field.current?.value ?? initial
    if (done.current) return
    done.current = true
    if (text === initial && !over && !key) onCancel()
    else onCommit(text, key)
  }

  const common = {
    ref: field,
    'aria-label': label,
    'aria-invalid': invalid || undefined,
    defaultValue: initial,
    onBlur: () => end(null),
    onKeyDown(event: KeyboardEvent) {
      // an accent or a word that is not finished yet is the keyboard's
      if (event.nativeEvent.isComposing) return
      event.stopPropagation()
      if (event.key === 'Escape') {
        done.current = true
        onCancel()
      } else if (ENDS.test(event.key) || (over && ARROWS.test(event.key))) {
        event.preventDefault()
        end(event)
      } else if (onSave && savesSheet(event)) {
        event.preventDefault()
        flushSync(() => end(event))
        onSave()
      }
    },
  }
  if (!choices) return <input {...common} type="text" inputMode={numeric ? 'decimal' : 'text'} autoComplete="off" spellCheck={false} />
  return (
    <select {...common}>
      {choices.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  )
}
