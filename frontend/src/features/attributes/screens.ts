import { screens } from '~/kit/resource/resource'
import { attribute } from './resource'

export default screens(attribute, {
  texts: ['reorder'],
  api: async () => (await import('./api')).attributes,
  list: () => import('./list'),
  form: () => import('./form'),
  over: { order: () => import('./order') },
})
