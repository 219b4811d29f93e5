import { Calculator } from 'lucide-react'
import type { FurtherItem } from '~/kit/shell/menu'

declare module '~/i18n/namespaces' {
  interface Texts {
    priceCalculator: typeof import('~/i18n/de/priceCalculator.json')
    priceOverTime: typeof import('~/i18n/de/priceOverTime.json')
  }
}

/** No list: what carts cost is asked for, and nothing of it is kept. */
export const priceCalculator = {
  id: 'priceCalculator',
  path: '/price-calculator',
  after: 'priceLists',
  icon: Calculator,
  permissions: ['listing.view'],
  flag: 'new_price_menu',
  tenant: 'required',
} as const satisfies FurtherItem

/** A page of it: what one line costs as time goes by. */
export const OVER_TIME = `${priceCalculator.path}/over-time`
