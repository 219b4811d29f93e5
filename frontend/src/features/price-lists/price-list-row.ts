import type { PriceList } from '~/api/schema'

/** A price list that is valid, for tests. */
export const priceListRow = (part: Partial<PriceList> = {}): PriceList => ({
  id: 1,
  version: 4,
  created_at: '2026-01-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
  name: 'Verkauf 2026',
  customer_name: null,
  announce: false,
  owner_tenant: { id: 1, company: 'Nordstahl Handel GmbH' },
  owner_tenant_group: null,
  type: 'sales',
  scope: 'global',
  valid_from: '2026-01-01T00:00:00Z',
  limited: false,
  valid_until: null,
  status: 'active',
  own: true,
  writable: true,
  tenants: [],
  tenant_groups: [],
  excluded_tenants: [],
  price_count: 120,
  audience_count: 12,
  ...part,
})
