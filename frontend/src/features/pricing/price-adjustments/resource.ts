import { SlidersHorizontal } from 'lucide-react'
import type { PriceAdjustment } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    priceAdjustments: typeof import('~/i18n/de/priceAdjustments.json')
    conditions: typeof import('~/i18n/de/conditions.json')
  }
}

export const priceAdjustment = resource('/api/admin/price-adjustments', {
  ns: 'priceAdjustments',
  path: '/price-adjustments',
  group: 'prices',
  owner: 'tenants',
  tenant: 'required',
  rights: 'price_adjustment',
  record: 'price_adjustment',
  icon: SlidersHorizontal,
  help: 'price-adjustments',
  title: (row: PriceAdjustment) => row.name,
  flag: 'price_adjustments',
})
