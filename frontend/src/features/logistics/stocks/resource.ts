import { Layers } from 'lucide-react'
import type { Stock } from '~/api/schema'
import { resource } from '~/kit/records/resource'

declare module '~/i18n/namespaces' {
  interface Texts {
    stocks: typeof import('~/i18n/de/stocks.json')
  }
}

/** Dimensions such as `6000 x 1000`, which distinguish a remnant from whole articles. */
const sizeOf = ({ length, width, height }: Stock) => [length, width, height].filter((side) => side !== null).join(' x ')

export const stock = resource('/api/admin/stocks', {
  ns: 'stocks',
  path: '/stocks',
  group: 'stock',
  owner: 'tenants',
  tenant: 'required',
  rights: 'stock',
  record: 'stock',
  icon: Layers,
  help: 'stocks',
  // same title as in the server's history
  title: (row: Stock) =>
    [row.article.article_number, row.warehouse.short_code, sizeOf(row) && `${sizeOf(row)} mm`].filter(Boolean).join(', '),
  detail: (row: Stock) => row.article.article_name,
})
