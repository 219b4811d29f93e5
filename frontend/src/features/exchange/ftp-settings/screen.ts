import { Globe } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    ftpSettings: typeof import('~/i18n/de/ftpSettings.json')
  }
}

/** Menu entry of a page without a list: a tenant has one set of FTP settings. */
export const ftpSettingsItem = {
  id: 'ftpSettings',
  path: '/ftp-settings',
  in: 'exchange',
  icon: Globe,
  permissions: ['configure-ftp-import'],
  tenant: 'required',
} as const satisfies PageItem
