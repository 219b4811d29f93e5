import type { ImportColumn, ImportInspection, ImportMappedColumn } from '~/api/schema'
import { chosenUnit, problemOf, type Units, unitKind } from './measure'
import { type Constants, chosenConstants } from './settings'

/** Choices of the user by column index: a field, or null for a column that is not read. */
export type Choices = Readonly<Record<number, string | null>>

/** Returns the field of each column: chosen by the user, recognised by name, or suggested. */
export const columnFields = (columns: readonly ImportColumn[], choices: Choices): (string | null)[] =>
  columns.map((column, at) => (at in choices ? (choices[at] ?? null) : (column.field ?? column.suggestion?.field ?? null)))

export interface Findings {
  /** Index of a column that is mapped to a field twice, to the index of the other column. */
  duplicates: Map<number, number>
  /** Groups of required fields, none of which the file has. */
  missing: string[][]
  /** Columns that are not mapped, perhaps by mistake. */
  unused: number[]
  /** Columns that the server would reject, with the reason. */
  refused: Map<number, string>
}

/** Checks a mapping by the rules of the server. */
export function findings(inspection: ImportInspection, choices: Choices, units: Units, constants: Constants = {}): Findings {
  const { columns, required, together } = inspection
  const fields = columnFields(columns, choices)
  const duplicates = new Map<number, number>()
  fields.forEach((field, at) => {
    const other = fields.findIndex((candidate, place) => candidate === field && place !== at)
    if (field !== null && other >= 0) duplicates.set(at, other)
  })
  const constantFieldKeys = chosenConstants(inspection, fields, constants).map(({ field }) => field)
  const isMapped = (field: string) => fields.includes(field) || constantFieldKeys.includes(field)
  const startedGroups = together.filter((group) => group.some(isMapped))
  const refused = columns.flatMap((_, at): [number, string][] => {
    const problem = problemOf(inspection, at, fields[at] ?? null, units)
    return problem === null ? [] : [[at, problem]]
  })
  return {
    duplicates,
    refused: new Map(refused),
    missing: [
      ...required.filter((group) => !group.some(isMapped)),
      ...startedGroups.flatMap((group) => group.filter((field) => !isMapped(field)).map((field) => [field])),
    ],
    unused: columns.flatMap(({ unread }, at) => (fields[at] === null && !unread ? [at] : [])),
  }
}

/** Mapping that is sent with the file; null if the names of the columns give the same. */
export function mappingOf({ columns, fields: allFields }: ImportInspection, choices: Choices, units: Units): ImportMappedColumn[] | null {
  const fields = columnFields(columns, choices)
  const entries = columns.flatMap((column, at) => {
    const { name, recognised, unread } = column
    const field = fields[at] ?? null
    const unit = unitKind(allFields, field) === null ? '' : chosenUnit(column, units, at)
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
  inspection: ImportInspection | undefined,
  choices: Choices,
): Record<string, string[]> {
  if (!inspection) return {}
  const fields = columnFields(inspection.columns, choices)
  const sent = inspection.columns.flatMap(({ unread }, at) => (unread && (fields[at] ?? null) === null ? [] : [at]))
  const errors: Record<string, string[]> = {}
  for (const [path, messages] of Object.entries(refused)) {
    const entry = /^mapping\.(\d+)\./.exec(path)?.[1]
    const at = entry === undefined ? undefined : sent[Number(entry)]
    if (at !== undefined) errors[String(at)] = [...(errors[String(at)] ?? []), ...messages]
  }
  return errors
}
