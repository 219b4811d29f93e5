import { BadgeEuro } from 'lucide-react'
import type { Price } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    prices: typeof import('~/i18n/de/prices.json')
  }
}

export const price = resource('/api/admin/prices', {
  ns: 'prices',
  path: '/prices',
  group: 'prices',
  owner: 'tenants',
  tenant: 'required',
  rights: 'listing',
  // the history shows them as changes of their stock
  record: null,
  icon: BadgeEuro,
  help: 'prices',
  title: (row: Price) => `${row.article.article_number} · ${row.warehouse.short_code}`,
  detail: (row: Price) => row.article.article_name,
})
