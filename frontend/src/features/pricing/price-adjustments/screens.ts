import { screens } from '~/kit/records/resource'
import { priceAdjustment } from './resource'

export default screens(priceAdjustment, {
  texts: ['conditions', 'whyPrice', 'reorder'],
  api: async () => (await import('./api')).priceAdjustments,
  list: () => import('./list'),
  form: () => import('./form'),
})
