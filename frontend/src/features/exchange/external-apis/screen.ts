import { Plug } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    externalApis: typeof import('~/i18n/de/externalApis.json')
  }
}

/** Menu entry of a page without a list: a tenant has one external API. */
export const externalApisItem = {
  id: 'externalApis',
  path: '/external-apis',
  in: 'exchange',
  icon: Plug,
  permissions: ['configure-external-api'],
  tenant: 'required',
} as const satisfies PageItem
