import { Plug } from 'lucide-react'
import type { FurtherItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    externalApis: typeof import('~/i18n/de/externalApis.json')
  }
}

/** No list: the page shows the one external API that a tenant has. */
export const externalApisItem = {
  id: 'externalApis',
  path: '/external-apis',
  in: 'exchange',
  icon: Plug,
  permissions: ['configure-external-api'],
  tenant: 'required',
} as const satisfies FurtherItem
