import { type SurchargeTable, surchargeKeyedByValues, surchargeKindValues } from '~/api/schema'
import { bodySchema, choice, nullableRef, text } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type SurchargeTableBody = BodyOf<'/api/admin/surcharge-tables'>

export const surchargeTableSchema = bodySchema<SurchargeTableBody>()({
  name: text(),
  kind: choice(surchargeKindValues),
  keyed_by: choice(surchargeKeyedByValues),
  base_table_id: nullableRef(),
})

export const toForm = (row: SurchargeTable | null) => ({
  name: row?.name ?? '',
  kind: row?.kind ?? ('alloy' as const),
  keyed_by: row?.keyed_by ?? ('material' as const),
  base_table_id: row?.base_table?.id ?? null,
})
