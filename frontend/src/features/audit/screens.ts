import { screens } from '~/kit/records/resource'
import { entry } from './resource'

export default screens(entry, {
  texts: ['permissions'],
  api: async () => (await import('./api')).audit,
  list: () => import('./list'),
})
