import { useState } from 'react'
import { readJson, writeJson } from '~/lib/storage'

const NARROWEST = 48
const WIDEST = 800

/**
 * Widths in pixels that a user has given to columns, by column id; stored in the browser if the sheet has a
 * name.
 */
export function useWidths(name: string | undefined) {
  const key = name === undefined ? null : `sheet:${name}`
  const [widths, setWidths] = useState<Record<string, number>>(() => (key === null ? {} : readJson(key, {})))
  /** Sets a column's width within the limits and returns it; null restores the default width. */
  function resize(id: string, width: number | null): number | null {
    const { [id]: _, ...others } = widths
    const clamped = width === null ? null : Math.round(Math.min(Math.max(width, NARROWEST), WIDEST))
    const next = clamped === null ? others : { ...others, [id]: clamped }
    setWidths(next)
    if (key !== null) writeJson(key, next)
    return clamped
  }
  return { widths, resize }
}
