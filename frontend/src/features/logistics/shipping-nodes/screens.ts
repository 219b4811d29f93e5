import { historyTab, usageTab } from '~/features/shared/record-tabs'
import { screens, withTexts } from '~/kit/records/resource'
import { shippingNode } from './resource'

export default screens(shippingNode, {
  texts: ['shippingNetwork'],
  api: async () => (await import('./api')).shippingNodes,
  list: () => import('./list'),
  form: { create: () => import('./form') },
  page: {
    frame: () => import('./page'),
    tabs: {
      details: () => import('./details'),
      incoming: withTexts(() => import('./incoming'), 'shippingLegs'),
      outgoing: withTexts(() => import('./outgoing'), 'shippingLegs'),
      calendar: withTexts(() => import('./calendar'), 'warehouses'),
      usage: usageTab,
      history: historyTab,
    },
  },
  pages: {
    map: withTexts(() => import('../shipping-map/map'), 'shippingMap'),
    findings: () => import('./findings'),
  },
})
