import { historyTab, usageTab } from '~/features/shared/record-tabs'
import { screens, withTexts } from '~/kit/records/resource'
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
