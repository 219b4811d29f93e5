import { screens } from '~/kit/resource/resource'
import { tenantGroup } from './resource'

export default screens(tenantGroup, {
  api: async () => (await import('./api')).tenantGroups,
  list: () => import('./list'),
  form: () => import('./form'),
})
