import type { PriceAdjustment, PriceAdjustmentInput } from '~/api/schema'

/** Input that would save an adjustment as it is. */
export const adjustmentInput = (row: PriceAdjustment): PriceAdjustmentInput => ({
  version: row.version,
  name: row.name,
  active: row.active,
  operation: row.operation,
  value: row.value,
  surcharge_table_id: row.surcharge_table?.id ?? null,
  calculation_type: row.calculation_type,
  conditions: row.conditions,
  ignore_on_further_adjustments: row.ignore_on_further_adjustments,
  apply_to: row.apply_to,
  tenant_ids: row.tenants.map(({ id }) => id),
  tenant_group_ids: row.tenant_groups.map(({ id }) => id),
  excluded_tenant_ids: row.excluded_tenants.map(({ id }) => id),
  purchase_constraints: row.purchase_constraints,
  valid_from: row.valid_from,
  valid_until: row.valid_until,
})
