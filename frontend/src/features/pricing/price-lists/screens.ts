import { historyTab } from '~/features/shared/record-tabs'
import { screens, withTexts } from '~/kit/records/resource'
import { priceList } from './resource'

export default screens(priceList, {
  api: async () => (await import('./api')).priceLists,
  list: () => import('./list'),
  form: { create: () => import('./form') },
  pages: { timeline: () => import('./timeline') },
  page: {
    frame: () => import('./page'),
    tabs: {
      details: () => import('./details'),
      prices: withTexts(() => import('./prices'), 'spreadsheet', 'listTools', 'priceListPrices'),
      audience: () => import('./audience'),
      history: historyTab,
    },
  },
})
