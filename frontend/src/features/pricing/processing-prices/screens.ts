import { screens } from '~/kit/records/resource'
import { processingPrice } from './resource'

export default screens(processingPrice, {
  api: async () => (await import('./api')).processingPrices,
  list: () => import('./list'),
  form: () => import('./form'),
})
