import { historyTab } from '~/features/shared/record-tabs'
import { screens } from '~/kit/records/resource'
import { shippingLeg } from './resource'

export default screens(shippingLeg, {
  texts: ['shippingNetwork'],
  api: async () => (await import('./api')).shippingLegs,
  list: () => import('./list'),
  form: { create: () => import('./form') },
  page: {
    frame: () => import('./page'),
    tabs: { details: () => import('./details'), history: historyTab },
  },
})
