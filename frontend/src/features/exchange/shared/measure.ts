import type { ImportColumn, ImportField, ImportInspection, Unit } from '~/api/schema'

/** The units that somebody has chosen, by the places of their columns: `100 kg` for prices, `t` for quantities, empty for none. */
export type Units = Readonly<Record<number, string>>

/** How much of which unit a price is for, or the unit of a quantity. */
export interface Measure {
  quantity: string
  unit: Unit | ''
}

/** The quantities that prices are usually for. */
export const PRICE_QUANTITIES = ['1', '10', '100', '1000']

/** What the unit behind a column of this field is the unit of, where somebody can choose it. */
export function unitKind(fields: readonly ImportField[], field: string | null): 'price' | 'quantity' | null {
  const kind = fields.find(({ key }) => key === field)?.unit ?? null
  return kind === 'other' ? null : kind
}

/** What is chosen for a column; empty where its heading counts. */
export const chosenUnit = (column: ImportColumn, units: Units, at: number): string => units[at] ?? column.chosen_unit ?? ''

export function readMeasure(text: string): Measure {
  const [first = '', second] = text.split(' ')
  return second === undefined ? { quantity: '1', unit: first as Unit | '' } : { quantity: first, unit: second as Unit }
}

/** As a mapping says it. */
export function writeMeasure({ quantity, unit }: Measure, kind: 'price' | 'quantity'): string {
  if (unit === '') return ''
  return kind === 'price' ? `${quantity} ${unit}` : unit
}

/** What the server would say of a column, as long as nothing else has been chosen for it. */
export function problemOf({ columns, problems }: ImportInspection, at: number, field: string | null, units: Units): string | null {
  const column = columns[at]
  if (!column || field !== column.field || chosenUnit(column, units, at) !== (column.chosen_unit ?? '')) return null
  return problems.find(({ column: name }) => name !== null && name === column.name)?.message ?? null
}
