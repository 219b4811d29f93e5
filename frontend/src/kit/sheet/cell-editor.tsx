import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ColumnOption } from './column'
import { savesSheet } from './use-keys'

interface Props {
  label: string
  /** Initial value. */
  initial: string
  /**
   * True if editing began by typing over the cell's content: an arrow key then commits the value and leaves
   * the cell.
   */
  isOverwriting: boolean
  numeric: boolean
  /** Choices of a select; absent for a text field. */
  choices?: readonly ColumnOption[] | undefined
  invalid: boolean
  /** Commits the value; `key` is the key that ended editing, or null if the field was left otherwise. */
  onCommit: (text: string, key: KeyboardEvent | null) => void
  onCancel: () => void
  /** Saves the sheet, including this value. */
  onSave?: (() => void) | undefined
}

const ENDS = /^(Enter|Tab)$/
const ARROWS = /^Arrow(Up|Down|Left|Right)$/

/** Input in a cell while it is edited. */
export function CellEditor({ label, initial, isOverwriting, numeric, choices, invalid, onCommit, onCancel, onSave }: Props) {
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const done = useRef(false)

  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true })
    // places the caret behind the content
    if (field.current instanceof HTMLInputElement) field.current.setSelectionRange(initial.length, initial.length)
  }, [initial])

  function end(key: KeyboardEvent | null) {
    const text = field.current?.value ?? initial
    if (done.current) return
    done.current = true
    if (text === initial && !isOverwriting && !key) onCancel()
    else onCommit(text, key)
  }

  const common = {
    ref: field,
    'aria-label': label,
    'aria-invalid': invalid || undefined,
    defaultValue: initial,
    onBlur: () => end(null),
    onKeyDown(event: KeyboardEvent) {
      // keys belong to the input method while a character is being composed
      if (event.nativeEvent.isComposing) return
      event.stopPropagation()
      if (event.key === 'Escape') {
        done.current = true
        onCancel()
      } else if (ENDS.test(event.key) || (isOverwriting && ARROWS.test(event.key))) {
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
