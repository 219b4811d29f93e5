import { tenantGroupRef } from '~/features/identity/tenant-groups/ref'
import { crud } from '~/kit/records/crud'

export const tenants = crud('/api/admin/tenants', {
  filters: {
    company: { kind: 'text' },
    short_code: { kind: 'text' },
    tenant_group_id: { kind: 'ref', source: tenantGroupRef },
    updated_at: { kind: 'date' },
  },
  sorts: ['company', 'short_code', 'updated_at'],
  defaultSort: 'company',
  search: 'company',
})
