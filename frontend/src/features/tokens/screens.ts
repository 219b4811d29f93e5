import { screens } from '~/kit/resource/resource'
import { token } from './resource'

export default screens(token, {
  texts: ['permissions'],
  api: async () => (await import('./api')).tokens,
  list: () => import('./list'),
  form: () => import('./form'),
})
