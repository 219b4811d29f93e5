import type { ImportColumn, ImportField, ImportInspection, Unit } from '~/api/schema'

/** Units chosen by the user, by column index: `100 kg` for prices, `t` for quantities, empty for none. */
export type Units = Readonly<Record<number, string>>

/** Quantity and unit that a price is for, or the unit of a quantity. */
export interface Measure {
  quantity: string
  unit: Unit | ''
}

/** Usual quantities that prices are for. */
export const PRICE_QUANTITIES = ['1', '10', '100', '1000']

/** Returns what the unit of a column with this field applies to, or null if there is no unit to choose. */
export function unitKind(fields: readonly ImportField[], field: string | null): 'price' | 'quantity' | null {
  const kind = fields.find(({ key }) => key === field)?.unit ?? null
  return kind === 'other' ? null : kind
}

/** Returns the unit chosen for a column; empty if its heading applies. */
export const chosenUnit = (column: ImportColumn, units: Units, at: number): string => units[at] ?? column.chosen_unit ?? ''

export function readMeasure(text: string): Measure {
  const [first = '', second] = text.split(' ')
  return second === undefined ? { quantity: '1', unit: first as Unit | '' } : { quantity: first, unit: second as Unit }
}

/** Formats a measure as the mapping of the API expects it. */
export function writeMeasure({ quantity, unit }: Measure, kind: 'price' | 'quantity'): string {
  if (unit === '') return ''
  return kind === 'price' ? `${quantity} ${unit}` : unit
}

/**
 * Returns the server's message about a column, unless another field or unit has been chosen for it since.
 */
export function problemOf({ columns, problems }: ImportInspection, at: number, field: string | null, units: Units): string | null {
  const column = columns[at]
  if (!column || field !== column.field || chosenUnit(column, units, at) !== (column.chosen_unit ?? '')) return null
  return problems.find(({ column: name }) => name !== null && name === column.name)?.message ?? null
}
