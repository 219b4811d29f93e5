import type { CalculationType } from '~/api/schema'
import { code, type Issue, nullableDecimal, nullableRef } from '~/kit/form/schema'

/** Form fields for the size of an adjustment: a value, or the table that gives it by month. */
export interface AdjustmentValueForm {
  value: string
  surcharge_table_id: number | null
  calculation_type: CalculationType
}

/** Calculation of tables: their values are surcharges per tonne. */
export const TABLE_CALCULATION = 'perTon' satisfies CalculationType

/** Fields for a schema. */
export const valueShape = () => ({
  value: nullableDecimal({ above: 0, before: 8, after: 4 }),
  surcharge_table_id: nullableRef(),
})

/** Errors about the fields together. */
export function valueIssues({
  value,
  surcharge_table_id: table,
  calculation_type: type,
}: Pick<AdjustmentValueForm, 'surcharge_table_id' | 'calculation_type'> & { value: string | null }): Issue[] {
  if (table === null) return value === null ? [{ path: ['value'], message: code('priceAdjustments:valueOrTable.none') }] : []
  if (value !== null) return [{ path: ['value'], message: code('priceAdjustments:valueOrTable.both') }]
  return type === TABLE_CALCULATION ? [] : [{ path: ['calculation_type'], message: code('priceAdjustments:valueOrTable.perTon') }]
}
