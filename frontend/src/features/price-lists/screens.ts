import { historyTab } from '~/kit/record-page/tabs'
import { screens } from '~/kit/resource/resource'
import { priceList } from './resource'

export default screens(priceList, {
  texts: ['spreadsheet', 'priceListPrices'],
  api: async () => (await import('./api')).priceLists,
  list: () => import('./list'),
  form: { create: () => import('./form') },
  page: {
    frame: () => import('./page'),
    tabs: {
      details: () => import('./details'),
      prices: () => import('./prices'),
      audience: () => import('./audience'),
      history: historyTab,
    },
  },
})
