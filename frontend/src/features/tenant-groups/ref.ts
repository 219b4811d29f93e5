import { reference } from '~/kit/resource/reference'
import { tenantGroup } from './resource'

export const tenantGroupRef = reference('/api/admin/tenant-groups', { label: tenantGroup.title, search: 'name', sort: 'name' })
