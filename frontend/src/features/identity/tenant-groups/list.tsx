import type { TenantGroup } from '~/api/schema'
import { ResourceList } from '~/kit/records/resource-list'
import { columns } from '~/kit/table/columns'
import { tenantGroups } from './api'
import { tenantGroup } from './resource'

const col = columns<TenantGroup>('tenantGroups')
const COLUMNS = [col.text('name'), col.text('description'), col.number('tenant_count'), col.instant('updated_at', { card: false })]

export default function TenantGroupList() {
  return <ResourceList resource={tenantGroup} api={tenantGroups} columns={COLUMNS} />
}
