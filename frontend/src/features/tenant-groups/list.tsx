import { Handshake } from 'lucide-react'
import type { TenantGroup } from '~/api/schema'
import { columns } from '~/kit/list/columns'
import { ResourceList } from '~/kit/list/resource-list'
import { tenantGroupList, tenantGroups } from './api'

const col = columns<TenantGroup>('tenantGroups')
const COLUMNS = [col.text('name'), col.text('description'), col.number('tenant_count'), col.instant('updated_at', { card: false })]

export default function TenantGroupList() {
  return (
    <ResourceList
      ns="tenantGroups"
      area="tenant-group"
      record="tenant_group"
      platform
      api={tenantGroups}
      spec={tenantGroupList}
      columns={COLUMNS}
      icon={Handshake}
      rowName={(row) => row.name}
    />
  )
}
