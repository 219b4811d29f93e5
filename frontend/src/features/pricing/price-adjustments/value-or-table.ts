import type { CalculationType } from '~/api/schema'
import { code, type Issue, nullableDecimal, nullableRef } from '~/kit/form/schema'

/** What a form holds of how much an adjustment is: a value, or the table that says it by month. */
export interface ValueForm {
  value: string
  surcharge_table_id: number | null
  calculation_type: CalculationType
}

/** A table says how much a tonne costs more. */
export const OF_TABLES = 'perTon' satisfies CalculationType

/** The fields of a schema. */
export const valueShape = () => ({
  value: nullableDecimal({ above: 0, before: 8, after: 4 }),
  surcharge_table_id: nullableRef(),
})

/** What is wrong with the fields together. */
export function valueIssues({
  value,
  surcharge_table_id: table,
  calculation_type: type,
}: Pick<ValueForm, 'surcharge_table_id' | 'calculation_type'> & { value: string | null }): Issue[] {
  if (table === null) return value === null ? [{ path: ['value'], message: code('priceAdjustments:valueOrTable.none') }] : []
  if (value !== null) return [{ path: ['value'], message: code('priceAdjustments:valueOrTable.both') }]
  return type === OF_TABLES ? [] : [{ path: ['calculation_type'], message: code('priceAdjustments:valueOrTable.perTon') }]
}
