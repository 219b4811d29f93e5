import { Radio } from 'lucide-react'
import type { FurtherItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    feeds: typeof import('~/i18n/de/feeds.json')
  }
}

/** The board of feeds: those of a tenant, or of all tenants for the platform. */
export const feedsItem = {
  id: 'feeds',
  path: '/feeds',
  in: 'exchange',
  icon: Radio,
  permissions: ['configure-ftp-import'],
} as const satisfies FurtherItem
