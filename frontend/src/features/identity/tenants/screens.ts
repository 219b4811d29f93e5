import { screens } from '~/kit/records/resource'
import { tenant } from './resource'

export default screens(tenant, {
  texts: ['permissions'],
  api: async () => (await import('./api')).tenants,
  list: () => import('./list'),
  form: () => import('./form'),
})
