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
  whose: 'tenants',
  tenant: 'required',
  rights: 'listing',
  record: 'held_price',
  lasting: 'everything',
  icon: ShieldQuestionMark,
  help: 'held-prices',
  title: (row: HeldPrice) => row.stock,
})
