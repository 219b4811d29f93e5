import { ScrollText } from 'lucide-react'
import type { PriceList } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    priceLists: typeof import('~/i18n/de/priceLists.json')
    priceListPrices: typeof import('~/i18n/de/priceListPrices.json')
  }
}

export const priceList = resource('/api/admin/price-lists', {
  ns: 'priceLists',
  path: '/priceLists',
  group: 'prices',
  owner: 'either',
  rights: 'price_list',
  record: 'price_list',
  icon: ScrollText,
  help: 'price-lists',
  title: (row: PriceList) => row.name,
  detail: (row: PriceList) => row.owner_tenant?.company ?? row.owner_tenant_group?.name,
  flag: 'new_price_menu',
})
