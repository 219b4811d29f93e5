type Part = Readonly<Record<string, unknown>>

/** Numbers of values of a table that were changed together. */
export interface ValueCounts {
  changed: number
  added: number
  removed: number
}

const keyOf = ({ value: _, ...place }: Part) => JSON.stringify(Object.entries(place).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Counts values by their keys: one that was removed and added counts as changed. */
export function countValues(removed: readonly Part[], added: readonly Part[]): ValueCounts {
  const before = new Set(removed.map(keyOf))
  const changed = added.filter((part) => before.has(keyOf(part))).length
  return { changed, added: added.length - changed, removed: removed.length - changed }
}
