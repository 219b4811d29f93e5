import { Handshake } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    partners: typeof import('~/i18n/de/partners.json')
  }
}

/**
 * Menu entry of the trading partners. The platform maintains the companies; here they are read-only, with
 * the terms that apply to them.
 */
export const partners = {
  id: 'partners',
  path: '/partners',
  in: 'prices',
  icon: Handshake,
  permissions: ['price_list.list', 'price_list.view'],
  tenant: 'required',
} as const satisfies PageItem
