import { screens } from '~/kit/records/resource'
import { role } from './resource'

export default screens(role, {
  texts: ['permissions'],
  api: async () => (await import('./api')).roles,
  list: () => import('./list'),
  form: () => import('./form'),
})
