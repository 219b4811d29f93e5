import { ShieldQuestionMark } from 'lucide-react'
import type { HeldPrice } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    heldPrices: typeof import('~/i18n/de/heldPrices.json')
  }
}

export const heldPrice = resource('/api/admin/held-prices', {
  ns: 'heldPrices',
  path: '/prices/held',
  group: 'prices',
  owner: 'tenants',
  tenant: 'required',
  rights: 'listing',
  record: 'held_price',
  irreversible: 'everything',
  icon: ShieldQuestionMark,
  help: 'held-prices',
  title: (row: HeldPrice) => row.stock,
})
