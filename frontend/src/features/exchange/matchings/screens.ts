import { screens } from '~/kit/records/resource'
import { matching } from './resource'

export default screens(matching, {
  api: async () => (await import('./api')).matchings,
  list: () => import('./list'),
  form: () => import('./form'),
})
