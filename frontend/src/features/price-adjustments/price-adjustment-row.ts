import type { PriceAdjustment } from '~/api/schema'

/** A surcharge by weight that is valid, for tests. */
export const priceAdjustmentRow = (part: Partial<PriceAdjustment> = {}): PriceAdjustment => ({
  id: 1,
  version: 4,
  created_at: '2026-01-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
  tenant: { id: 1, short_code: 'NORD' },
  name: 'Energiezuschlag',
  position: 1,
  active: true,
  operation: 'surcharge',
  value: '35',
  surcharge_table: null,
  calculation_type: 'perTon',
  conditions: null,
  conditions_text: null,
  ignore_on_further_adjustments: false,
  apply_to: { kind: 'item_type', item_types: ['article'] },
  tenants: [],
  tenant_groups: [],
  excluded_tenants: [],
  purchase_constraints: null,
  valid_from: null,
  valid_until: null,
  ...part,
})
