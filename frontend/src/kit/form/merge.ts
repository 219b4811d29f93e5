type Values = Readonly<Record<string, unknown>>

/** Returns the key by which an entry of a list is the same on all sides; null for a new entry. */
export type KeyOf = (entry: never) => number | string | null

/**
 * Fields that are one value together, such as a price with its quantity and unit, by the name of the group.
 */
export type Groups = Readonly<Record<string, readonly string[]>>

/**
 * Conflict: a field or an entry that both sides changed to different values. `undefined` is an entry that
 * does not exist.
 */
export interface FieldConflict {
  id: string
  field: string
  mine: unknown
  theirs: unknown
}

/** Change that only the other side made. */
export type TheirChange = FieldConflict

export interface Merge {
  conflicts: FieldConflict[]
  theirChanges: TheirChange[]
  /** Returns the merged fields; in an unanswered conflict our own side wins. */
  resolve: (answers: Readonly<Record<string, 'mine' | 'theirs'>>) => Record<string, unknown>
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Three-way merge of a form. A change of only one side is no conflict. Lists of keyed entries merge by
 * entry, grouped fields as one value.
 */
export function merge(
  ownForm: Values,
  baseForm: Values,
  otherForm: Values,
  keys: Readonly<Record<string, KeyOf>>,
  groups: Groups = {},
): Merge {
  const [mine, base, theirs] = [joinGroups(ownForm, groups), joinGroups(baseForm, groups), joinGroups(otherForm, groups)]
  const conflicts: FieldConflict[] = []
  const theirChanges: TheirChange[] = []
  const compareField = (id: string, field: string, own: unknown, old: unknown, other: unknown) => {
    if (isEqual(own, other) || isEqual(old, other)) return 'mine'
    const conflict = { id, field, mine: own, theirs: other }
    if (isEqual(own, old)) {
      theirChanges.push(conflict)
      return 'theirs'
    }
    conflicts.push(conflict)
    return 'conflict'
  }
  type Answers = Parameters<Merge['resolve']>[0]
  const fields = new Map<string, (answers: Answers) => unknown>()
  for (const field of Object.keys(mine)) {
    const keyOf = keys[field]
    const lists = [mine[field], base[field], theirs[field]].map((value) => (keyOf ? entriesByKey(value, keyOf) : null))
    const [own, old, other] = lists
    if (own && old && other) {
      const order = orderOf([...own.keys()], [...old.keys()], [...other.keys()])
      const entryDecisions = order.map((key) => ({
        key,
        by: compareField(`${field}.${key}`, field, own.get(key), old.get(key), other.get(key)),
      }))
      fields.set(field, (answers) =>
        entryDecisions.flatMap(({ key, by }) => {
          const mineWins = (by === 'conflict' ? (answers[`${field}.${key}`] ?? 'mine') : by) === 'mine'
          const entry = (mineWins ? own : other).get(key)
          return entry === undefined ? [] : [mineWins && !other.has(key) ? asNewEntry(entry) : entry]
        }),
      )
    } else {
      const by = compareField(field, field, mine[field], base[field], theirs[field])
      fields.set(field, (answers) => ((by === 'conflict' ? (answers[field] ?? 'mine') : by) === 'mine' ? mine : theirs)[field])
    }
  }
  return {
    conflicts,
    theirChanges,
    resolve: (answers) => splitGroups(Object.fromEntries([...fields].map(([field, value]) => [field, value(answers)])), groups),
  }
}

/** Replaces the fields of each group by one value. */
function joinGroups(values: Values, groups: Groups): Values {
  const grouped = new Set(Object.values(groups).flat())
  const single = Object.entries(values).filter(([field]) => !grouped.has(field))
  const joined = Object.entries(groups).map(([name, fields]) => [name, Object.fromEntries(fields.map((field) => [field, values[field]]))])
  return Object.fromEntries([...single, ...joined])
}

const splitGroups = (values: Values, groups: Groups): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (name in groups ? Object.entries(value as Values) : [[name, value]])),
  )

/** Makes an entry that the other side has removed a new one. */
const asNewEntry = (entry: unknown) => (typeof entry === 'object' && entry !== null && 'id' in entry ? { ...entry, id: null } : entry)

/** Maps the entries by key; null if two of them share a key and cannot be distinguished. */
function entriesByKey(list: unknown, keyOf: KeyOf): Map<string, unknown> | null {
  if (!Array.isArray(list)) return null
  const entries = new Map(list.map((entry, at) => [String(keyOf(entry as never) ?? `new ${at}`), entry]))
  return entries.size === list.length ? entries : null
}

/**
 * Order of the side that moved entries, our own first; an entry that the other side added follows its
 * neighbour.
 */
function orderOf(mine: string[], base: string[], theirs: string[]): string[] {
  const common = (list: string[], other: string[]) => list.filter((key) => other.includes(key))
  const isReordered = !isEqual(common(mine, base), common(base, mine))
  const [leading, other] = isReordered ? [mine, theirs] : [theirs, mine]
  const order = [...leading]
  for (const [at, key] of other.entries()) {
    if (order.includes(key)) continue
    const before = other[at - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, key)
  }
  return order
}
