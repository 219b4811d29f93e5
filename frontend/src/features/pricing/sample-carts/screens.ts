import { historyTab } from '~/features/shared/record-tabs'
import { screens } from '~/kit/records/resource'
import { sampleCart } from './resource'

export default screens(sampleCart, {
  api: async () => (await import('./api')).sampleCarts,
  list: () => import('./list'),
  page: {
    frame: () => import('./page'),
    tabs: { details: () => import('./details'), history: historyTab },
  },
})
