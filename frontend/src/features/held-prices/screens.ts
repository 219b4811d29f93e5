import { screens } from '~/kit/resource/resource'
import { heldPrice } from './resource'

export default screens(heldPrice, {
  api: async () => (await import('./api')).heldPrices,
  list: () => import('./list'),
})
