import { ShoppingCart } from 'lucide-react'
import type { SampleCart } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    sampleCarts: typeof import('~/i18n/de/sampleCarts.json')
  }
}

export const sampleCart = resource('/api/admin/sample-carts', {
  ns: 'sampleCarts',
  path: '/sample-carts',
  group: 'prices',
  owner: 'tenants',
  tenant: 'required',
  rights: 'price_adjustment',
  // the total of a cart reveals prices
  alsoRequires: ['listing.view'],
  sharesPermissions: true,
  record: 'sample_cart',
  icon: ShoppingCart,
  help: 'price-calculator',
  title: (row: SampleCart) => row.name,
  flag: 'price_adjustments',
})
