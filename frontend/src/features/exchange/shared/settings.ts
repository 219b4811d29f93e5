import type { ImportInspection, ImportSettings } from '~/api/schema'

/** Fields that can have the same value in every row, in the order in which they are offered. */
const CONSTANT = [
  'warehouse',
  'external_warehouse_identifier',
  'quantity_unit',
  'price_quantity',
  'price_unit',
  'currency',
  'lead_time',
] as const

/** Values for fields without a column. */
export type Constants = Readonly<Record<string, string>>

/**
 * Fields without a column that may have one value for all rows; fields not listed in `CONSTANT` only if the
 * profile has a value for them.
 */
export const constantFields = ({ fields, profile }: ImportInspection, usedFields: readonly (string | null)[]) => {
  const own = profile?.settings.constants?.map(({ field }) => field) ?? []
  return [...new Set<string>([...CONSTANT, ...own])].flatMap((key) =>
    fields.filter((field) => field.key === key && !usedFields.includes(key)),
  )
}

/** Constants that take effect: those with a value whose field has no column. */
export const chosenConstants = (inspection: ImportInspection, usedFields: readonly (string | null)[], constants: Constants) =>
  constantFields(inspection, usedFields).flatMap(({ key }) => {
    const value = constants[key]?.trim() ?? ''
    return value === '' ? [] : [{ field: key, value }]
  })

/** Settings that are sent with the file; null if everything is recognised. */
export function settingsOf(
  inspection: ImportInspection,
  usedFields: readonly (string | null)[],
  reading: ImportSettings,
  constants: Constants,
): ImportSettings | null {
  const chosen = chosenConstants(inspection, usedFields, constants)
  const settings = { ...reading, ...(chosen.length > 0 && { constants: chosen }) }
  return Object.keys(settings).length > 0 ? settings : null
}
