import { Webhook } from 'lucide-react'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    webhooks: typeof import('~/i18n/de/webhooks.json')
    webhookDeliveries: typeof import('~/i18n/de/webhookDeliveries.json')
  }
}

export const webhook = resource('/api/admin/webhooks', {
  ns: 'webhooks',
  path: '/webhooks',
  group: 'exchange',
  owner: 'tenants',
  tenant: 'required',
  rights: null,
  permission: 'configure-webhooks',
  record: 'webhook',
  icon: Webhook,
  help: 'erp',
  // an undo could not restore the secret
  irreversible: 'deletion',
  title: (row) => new URL(row.url).host,
})
