import { screens } from '~/kit/records/resource'
import { token } from './resource'

export default screens(token, {
  texts: ['permissions'],
  api: async () => (await import('./api')).tokens,
  list: () => import('./list'),
  form: () => import('./form'),
})
