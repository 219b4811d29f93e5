import { Calculator } from 'lucide-react'
import type { PageItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    priceCalculator: typeof import('~/i18n/de/priceCalculator.json')
    priceOverTime: typeof import('~/i18n/de/priceOverTime.json')
  }
}

/** Menu entry of a page without a list: carts are calculated on request and not stored. */
export const priceCalculator = {
  id: 'priceCalculator',
  path: '/price-calculator',
  after: 'priceLists',
  icon: Calculator,
  permissions: ['listing.view'],
  flag: 'new_price_menu',
  tenant: 'required',
} as const satisfies PageItem

/** Path of the page with the price of one line over time. */
export const OVER_TIME = `${priceCalculator.path}/over-time`
