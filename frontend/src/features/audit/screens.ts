import { screens } from '~/kit/resource/resource'
import { entry } from './resource'

export default screens(entry, {
  texts: ['permissions'],
  api: async () => (await import('./api')).audit,
  list: () => import('./list'),
})
