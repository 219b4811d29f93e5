import { screens } from '~/kit/records/resource'
import { articleType } from './resource'

export default screens(articleType, {
  texts: ['reorder'],
  api: async () => (await import('./api')).articleTypes,
  list: () => import('./list'),
  form: () => import('./form'),
})
