import { reference } from '~/kit/records/reference'
import { tenantGroup } from './resource'

export const tenantGroupRef = reference('/api/admin/tenant-groups', { label: tenantGroup.title, search: 'name', sort: 'name' })

/** Groups named by a record, for users who may not list groups. */
export const groupsIn = (row: { tenant_groups: readonly { id: number; name: string }[] } | null): ReadonlyMap<number, string> =>
  new Map(row?.tenant_groups.map(({ id, name }) => [id, name]))
