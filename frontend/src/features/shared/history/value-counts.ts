type Part = Readonly<Record<string, unknown>>

/** Numbers of values of a table that were changed together. */
export interface ValueCounts {
  changed: number
  added: number
  removed: number
}

const keyOf = ({ value: _, ...place }: Part) => JSON.stringify(Object.entries(place).sort(([one], [other]) => (one < other ? -1 : 1)))

/** Counts values by their keys: one that was removed and added counts as changed. */
export function countValues(gone: readonly Part[], come: readonly Part[]): ValueCounts {
  const before = new Set(gone.map(keyOf))
  const changed = come.filter((part) => before.has(keyOf(part))).length
  return { changed, added: come.length - changed, removed: gone.length - changed }
}
