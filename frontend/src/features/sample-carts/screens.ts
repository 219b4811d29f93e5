import { historyTab } from '~/kit/record-page/tabs'
import { screens } from '~/kit/resource/resource'
import { sampleCart } from './resource'

export default screens(sampleCart, {
  api: async () => (await import('./api')).sampleCarts,
  list: () => import('./list'),
  page: {
    frame: () => import('./page'),
    tabs: { details: () => import('./details'), history: historyTab },
  },
})
