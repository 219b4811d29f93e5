import { Radio } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    feeds: typeof import('~/i18n/de/feeds.json')
  }
}

/**
 * Board of connections of a tenant, or of all tenants for the platform. Each section needs its own
 * permission.
 */
export const feedsItem = {
  id: 'feeds',
  path: '/feeds',
  in: 'exchange',
  icon: Radio,
  permissions: [],
  anyOf: ['configure-ftp-import', 'configure-external-api', 'configure-webhooks'],
} as const satisfies PageItem
