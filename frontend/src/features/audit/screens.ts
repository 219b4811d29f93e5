import { screens } from '~/kit/resource/resource'
import { audit } from './resource'

export default screens(audit, {
  texts: ['permissions'],
  api: async () => (await import('./api')).audit,
  list: () => import('./list'),
})
