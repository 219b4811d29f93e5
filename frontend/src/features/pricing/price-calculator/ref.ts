import type { To } from 'react-router'
import type { SampleCart, Unit } from '~/api/schema'
import { minuteIn } from '~/lib/zone'
import { useConfig } from '~/session/config'
import { useCan, useMe } from '~/session/me'
import { TENANT_PARAM } from '~/session/tenant'
import { priceCalculator } from './screen'

/** Price to be explained: one of the unit, now or from a later time. */
export interface PriceToExplain {
  article: number
  unit: Unit
  /** Warehouse; any if it is not given. */
  warehouse?: number
  /** Start of a later period; a past one means now. */
  from?: string
  /** Seller, if it is not the tenant that the user acts for. */
  seller?: number | undefined
}

/** Path of the price calculator; null for users who may not open it. */
export function useCalculator(): string | null {
  const { flags } = useConfig()
  const isAllowed = useCan(...priceCalculator.permissions)
  return flags[priceCalculator.flag] && isAllowed ? priceCalculator.path : null
}

/** Returns a function that links to the explanation of a price; null for users who may not see it. */
export function useWhyPrice(): ((price: PriceToExplain) => To) | null {
  const { time_zone: zone } = useConfig()
  const pathname = useCalculator()
  if (pathname === null) return null
  return ({ article, unit, warehouse, from, seller }) => {
    const search = new URLSearchParams({ line: [article, 1, unit, warehouse ?? ''].join('_').replace(/_$/, ''), why: '' })
    const startTime = from === undefined ? 0 : Date.parse(from)
    if (startTime > Date.now()) search.set('at', minuteIn(zone, startTime))
    if (seller !== undefined) search.set(TENANT_PARAM, String(seller))
    return { pathname, search: search.toString() }
  }
}

/** Query parameter with the sample cart that was opened. */
export const CART_PARAM = 'cart'

/** Contents of a cart with its buyer and time; `id` is that of a sample cart, if it is one. */
export interface CartContents {
  id: number | null
  /** Seller. */
  tenant: { id: number }
  buyer: { id: number } | null
  at: string | null
  lines: readonly Pick<SampleCart['lines'][number], 'article_id' | 'article' | 'quantity' | 'unit' | 'warehouse_id' | 'processings'>[]
}

/** Returns a function that links to the calculator with a cart; null for users who may not see prices. */
export function useOpenCart(): ((cart: CartContents) => To) | null {
  const { time_zone: zone } = useConfig()
  const { tenant_id: ownTenant } = useMe()
  const pathname = useCalculator()
  if (pathname === null) return null
  return ({ id, tenant, buyer, at, lines }) => {
    const search = new URLSearchParams(id === null ? {} : { [CART_PARAM]: String(id) })
    if (buyer) search.set('buyer', String(buyer.id))
    if (at !== null) search.set('at', minuteIn(zone, Date.parse(at)))
    for (const { article_id, article, quantity, unit, warehouse_id, processings } of lines) {
      const done = processings.map((one) => [one.processing_id, one.quantity, one.price?.price ?? ''].join('*'))
      const parts = [article_id, quantity, unit ?? article?.listing_unit ?? '', warehouse_id ?? '', ...done]
      search.append('line', parts.join('_').replace(/_+$/, ''))
    }
    if (ownTenant === null) search.set(TENANT_PARAM, String(tenant.id))
    return { pathname, search: search.toString() }
  }
}
