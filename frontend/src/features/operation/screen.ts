import { Activity } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    operation: typeof import('~/i18n/de/operation.json')
  }
}

/** Menu entry of the page about the running installation, for its operators. */
export const operationItem = {
  id: 'operation',
  path: '/operation',
  in: 'administration',
  icon: Activity,
  permissions: ['audit.view'],
  operators: true,
} as const satisfies PageItem
