import { reference } from '~/kit/resource/reference'
import { tenant } from './resource'

const HOUR = 60 * 60_000

export const tenantRef = reference('/api/admin/tenants', {
  label: tenant.title,
  search: 'company',
  sort: 'company',
  staleTime: HOUR,
})
