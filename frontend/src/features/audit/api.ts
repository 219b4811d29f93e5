import { auditActionValues as actions, auditChannelValues as channels, auditRecordValues as records } from '~/api/schema'
import { tenantRef } from '~/features/identity/tenants/ref'
import { userRef } from '~/features/identity/users/ref'
import { crud } from '~/kit/records/crud'
import { RecordKindName } from './record-kind-name'

export const audit = crud('/api/admin/audit', {
  filters: {
    at: { kind: 'date' },
    user_id: { kind: 'ref', source: userRef, optional: true },
    action: { kind: 'enum', values: actions as unknown as readonly string[] },
    record: { kind: 'enum', values: records as unknown as readonly string[], Text: RecordKindName },
    record_id: { kind: 'id', optional: true },
    channel: { kind: 'enum', values: channels as unknown as readonly string[] },
    tenant_id: { kind: 'ref', source: tenantRef, optional: true },
    request_id: { kind: 'key' },
  },
  sorts: ['at'],
  defaultSort: '-at',
  search: null,
})
