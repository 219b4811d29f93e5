import { historyTab } from '~/features/shared/record-tabs'
import { screens, withTexts } from '~/kit/records/resource'
import { webhook } from './resource'

export default screens(webhook, {
  texts: ['feeds'],
  api: async () => (await import('./api')).webhooks,
  list: () => import('./list'),
  form: { create: () => import('./form') },
  page: {
    frame: () => import('./page'),
    tabs: {
      details: () => import('./details'),
      deliveries: withTexts(() => import('./deliveries'), 'webhookDeliveries'),
      history: historyTab,
    },
  },
  pages: { ':id/deliveries/:deliveryId': withTexts(() => import('./delivery'), 'webhookDeliveries') },
})
