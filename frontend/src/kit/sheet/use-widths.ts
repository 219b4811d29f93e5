import { useState } from 'react'
import { readJson, writeJson } from '~/lib/storage'

const NARROWEST = 48
const WIDEST = 800

/** Widths in pixels that a user has given to columns, by their ids; kept in the browser where the sheet has a name. */
export function useWidths(name: string | undefined) {
  const key = name === undefined ? null : `sheet:${name}`
  const [widths, setWidths] = useState<Record<string, number>>(() => (key === null ? {} : readJson(key, {})))
  /** Gives a column a width, or its own one back. */
  function resize(id: string, width: number | null) {
    const { [id]: _, ...others } = widths
    const next = width === null ? others : { ...others, [id]: Math.round(Math.min(Math.max(width, NARROWEST), WIDEST)) }
    setWidths(next)
    if (key !== null) writeJson(key, next)
  }
  return { widths, resize }
}
