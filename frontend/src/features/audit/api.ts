import { $api } from '~/api/client'
import { auditActionValues as actions, auditChannelValues as channels, type paths, auditRecordValues as records } from '~/api/schema'
import { tenantRef } from '~/features/tenants/ref'
import { exporter } from '~/kit/list/exporter'
import { type ListState, listSpec, readListState, toWire } from '~/kit/list/list-state'
import { userRef } from './ref'

const LIST = '/api/admin/audit'
type Query = NonNullable<paths[typeof LIST]['get']['parameters']['query']>
export const auditList = listSpec<Query>()({
  filters: {
    at: { kind: 'date' },
    user_id: { kind: 'ref', source: userRef },
    action: { kind: 'enum', values: actions as unknown as readonly string[] },
    record: { kind: 'enum', values: records as unknown as readonly string[] },
    record_id: { kind: 'id' },
    channel: { kind: 'enum', values: channels as unknown as readonly string[] },
    tenant_id: { kind: 'ref', source: tenantRef },
  },
  sorts: ['at'],
  defaultSort: '-at',
  search: null,
})

export const audit = {
  export: exporter(`${LIST}/export`, auditList),
  list: (state: ListState) => $api.queryOptions('get', LIST, { params: { query: toWire<Query>(auditList, state) } }),
}

export const preload = (search: string) => audit.list(readListState(auditList, search))
