import { screens } from '~/kit/records/resource'
import { tenantGroup } from './resource'

export default screens(tenantGroup, {
  api: async () => (await import('./api')).tenantGroups,
  list: () => import('./list'),
  form: () => import('./form'),
})
