import { tenantRef } from '~/features/identity/tenants/ref'
import { crud } from '~/kit/records/crud'

export const roles = crud('/api/admin/roles', {
  filters: {
    name: { kind: 'text' },
    tenant_id: { kind: 'ref', source: tenantRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})
