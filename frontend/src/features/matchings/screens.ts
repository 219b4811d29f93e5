import { screens } from '~/kit/resource/resource'
import { matching } from './resource'

export default screens(matching, {
  api: async () => (await import('./api')).matchings,
  list: () => import('./list'),
  form: () => import('./form'),
})
