import { historyTab, usageTab } from '~/features/shared/record-tabs'
import { screens } from '~/kit/records/resource'
import { warehouse } from './resource'

export default screens(warehouse, {
  api: async () => (await import('./api')).warehouses,
  list: () => import('./list'),
  form: { create: () => import('./form') },
  page: {
    frame: () => import('./page'),
    tabs: { details: () => import('./details'), calendar: () => import('./calendar'), usage: usageTab, history: historyTab },
  },
})
