import { tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { crud } from '~/kit/records/crud'

export const tenants = crud('/api/admin/tenants', {
  filters: {
    search: { kind: 'search' },
    company: { kind: 'text' },
    name: { kind: 'text' },
    short_code: { kind: 'text' },
    tenant_group_id: { kind: 'ref', source: tenantGroupRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['company', 'name', 'short_code', 'updated_at'],
  defaultSort: 'company',
  search: 'search',
})
