import { historyTab, usageTab } from '~/kit/record-page/tabs'
import { screens, withTexts } from '~/kit/resource/resource'
import { surchargeTable } from './resource'

export default screens(surchargeTable, {
  api: async () => (await import('./api')).surchargeTables,
  list: () => import('./list'),
  form: { create: () => import('./form') },
  page: {
    frame: () => import('./page'),
    tabs: {
      details: () => import('./details'),
      values: withTexts(() => import('./values'), 'spreadsheet'),
      usage: usageTab,
      history: historyTab,
    },
  },
})
