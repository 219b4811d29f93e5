import { screens } from '~/kit/records/resource'
import { heldPrice } from './resource'

export default screens(heldPrice, {
  api: async () => (await import('./api')).heldPrices,
  list: () => import('./list'),
})
