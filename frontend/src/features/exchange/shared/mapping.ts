import type { ImportColumn, ImportInspection, ImportMappedColumn } from '~/api/schema'
import { chosenUnit, problemOf, type Units, unitKind } from './measure'
import { type Constants, chosenConstants } from './settings'

/** Choices of the user by column index: a field, or null for a column that is not read. */
export type Choices = Readonly<Record<number, string | null>>

/** Returns the field of each column: chosen by the user, recognised by name, or suggested. */
export const meanings = (columns: readonly ImportColumn[], choices: Choices): (string | null)[] =>
  columns.map((column, at) => (at in choices ? (choices[at] ?? null) : (column.field ?? column.suggestion?.field ?? null)))

export interface Findings {
  /** Index of a column that is mapped to a field twice, to the index of the other column. */
  twins: Map<number, number>
  /** Groups of required fields, none of which the file has. */
  missing: string[][]
  /** Columns that are not mapped, perhaps by mistake. */
  unused: number[]
  /** Columns that the server would reject, with the reason. */
  refused: Map<number, string>
}

/** Checks a mapping by the rules of the server. */
export function findings(found: ImportInspection, choices: Choices, units: Units, constants: Constants = {}): Findings {
  const { columns, required, together } = found
  const fields = meanings(columns, choices)
  const twins = new Map<number, number>()
  fields.forEach((field, at) => {
    const other = fields.findIndex((candidate, place) => candidate === field && place !== at)
    if (field !== null && other >= 0) twins.set(at, other)
  })
  const same = chosenConstants(found, fields, constants).map(({ field }) => field)
  const has = (field: string) => fields.includes(field) || same.includes(field)
  const begun = together.filter((group) => group.some(has))
  const refused = columns.flatMap((_, at): [number, string][] => {
    const problem = problemOf(found, at, fields[at] ?? null, units)
    return problem === null ? [] : [[at, problem]]
  })
  return {
    twins,
    refused: new Map(refused),
    missing: [
      ...required.filter((group) => !group.some(has)),
      ...begun.flatMap((group) => group.filter((field) => !has(field)).map((field) => [field])),
    ],
    unused: columns.flatMap(({ unread }, at) => (fields[at] === null && !unread ? [at] : [])),
  }
}

/** Mapping that is sent with the file; null if the names of the columns give the same. */
export function mappingOf({ columns, fields: known }: ImportInspection, choices: Choices, units: Units): ImportMappedColumn[] | null {
  const fields = meanings(columns, choices)
  const entries = columns.flatMap((column, at) => {
    const { name, recognised, unread } = column
    const field = fields[at] ?? null
    const unit = unitKind(known, field) === null ? '' : chosenUnit(column, units, at)
    const entry: ImportMappedColumn = unit === '' ? { column: name, field } : { column: name, field, unit }
    return unread && field === null ? [] : [{ entry, differs: field !== recognised || field === null || unit !== '' || at in choices }]
  })
  return entries.some(({ differs }) => differs) ? entries.map(({ entry }) => entry) : null
}

/**
 * Errors of the server about the sent mapping, by column index; errors of the mapping as a whole are shown
 * above it.
 */
export function columnErrors(
  refused: Readonly<Record<string, string[]>>,
  found: ImportInspection | undefined,
  choices: Choices,
): Record<string, string[]> {
  if (!found) return {}
  const fields = meanings(found.columns, choices)
  const sent = found.columns.flatMap(({ unread }, at) => (unread && (fields[at] ?? null) === null ? [] : [at]))
  const errors: Record<string, string[]> = {}
  for (const [path, messages] of Object.entries(refused)) {
    const entry = /^mapping\.(\d+)\./.exec(path)?.[1]
    const at = entry === undefined ? undefined : sent[Number(entry)]
    if (at !== undefined) errors[String(at)] = [...(errors[String(at)] ?? []), ...messages]
  }
  return errors
}
