import type { ImportInspection, ImportSettings } from '~/api/schema'

/** Fields that can be the same in every row, in the order in which they are offered. */
const CONSTANT = [
  'warehouse',
  'external_warehouse_identifier',
  'quantity_unit',
  'price_quantity',
  'price_unit',
  'currency',
  'lead_time',
] as const

/** Values of fields that the file has no column for. */
export type Constants = Readonly<Record<string, string>>

/** Fields that no column means and that every row may have the same of; others only where a profile has a constant for them. */
export const constantFields = ({ fields, profile }: ImportInspection, used: readonly (string | null)[]) => {
  const own = profile?.settings.constants?.map(({ field }) => field) ?? []
  return [...new Set<string>([...CONSTANT, ...own])].flatMap((key) => fields.filter((field) => field.key === key && !used.includes(key)))
}

/** The constants that count: of fields that no column means, with a value. */
export const chosenConstants = (found: ImportInspection, used: readonly (string | null)[], constants: Constants) =>
  constantFields(found, used).flatMap(({ key }) => {
    const value = constants[key]?.trim() ?? ''
    return value === '' ? [] : [{ field: key, value }]
  })

/** The settings that are sent with the file; null where everything is recognised. */
export function settingsOf(
  found: ImportInspection,
  used: readonly (string | null)[],
  reading: ImportSettings,
  constants: Constants,
): ImportSettings | null {
  const chosen = chosenConstants(found, used, constants)
  const settings = { ...reading, ...(chosen.length > 0 && { constants: chosen }) }
  return Object.keys(settings).length > 0 ? settings : null
}
