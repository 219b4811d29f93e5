import { Globe } from 'lucide-react'
import type { FurtherItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    ftpSettings: typeof import('~/i18n/de/ftpSettings.json')
  }
}

/** No list: the page shows the one set of settings that a tenant has. */
export const ftpSettingsItem = {
  id: 'ftpSettings',
  path: '/ftp-settings',
  in: 'exchange',
  icon: Globe,
  permissions: ['configure-ftp-import'],
  tenant: 'required',
} as const satisfies FurtherItem
