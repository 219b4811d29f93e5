import type { Tenant } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { tenants } from './api'
import { tenant } from './resource'

const col = columns<Tenant>('tenants')
const COLUMNS = [
  col.text('company'),
  col.custom('name', (row) => (row.name === row.company ? null : row.name), { card: false }),
  col.text('short_code'),
  col.text('address', { optional: true }),
  col.text('email'),
  col.text('phone', { optional: true }),
  col.enum('external_api_type', { optional: true }),
  col.custom('tenant_groups', (row) => row.tenant_groups.map(({ name }) => name).join(', ') || '\u2013', { sort: '' }),
  col.number('user_count'),
  col.instant('updated_at', { card: false }),
]

export default function TenantList() {
  return <ResourceList resource={tenant} api={tenants} columns={COLUMNS} retype />
}
