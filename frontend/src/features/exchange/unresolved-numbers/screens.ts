import { screens } from '~/kit/records/resource'
import { unresolvedNumber } from './resource'

export default screens(unresolvedNumber, {
  api: async () => (await import('./api')).unresolvedNumbers,
  list: () => import('./list'),
  overlays: { ':id': () => import('./match') },
})
