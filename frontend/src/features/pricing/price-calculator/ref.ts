import type { To } from 'react-router'
import type { SampleCart, Unit } from '~/api/schema'
import { minuteIn } from '~/lib/zone'
import { useConfig } from '~/session/config'
import { useCan, useMe } from '~/session/me'
import { TENANT_PARAM } from '~/session/tenant'
import { priceCalculator } from './screen'

/** What is to be explained: what one of the unit costs, at the moment or from a later one on. */
export interface Explained {
  article: number
  unit: Unit
  /** None: from wherever it comes. */
  warehouse?: number
  /** What holds from then on; what has begun already holds now. */
  from?: string
  /** Whose prices they are, where that is not who is chosen anyway. */
  seller?: number | undefined
}

/** Where carts are calculated; null for whoever may not see that. */
export function useCalculator(): string | null {
  const { flags } = useConfig()
  const may = useCan(...priceCalculator.permissions)
  return flags[priceCalculator.flag] && may ? priceCalculator.path : null
}

/** Where a price is explained; null for whoever may not see that. */
export function useWhyPrice(): ((of: Explained) => To) | null {
  const { time_zone: zone } = useConfig()
  const pathname = useCalculator()
  if (pathname === null) return null
  return ({ article, unit, warehouse, from, seller }) => {
    const search = new URLSearchParams({ line: [article, 1, unit, warehouse ?? ''].join('_').replace(/_$/, ''), why: '' })
    const begins = from === undefined ? 0 : Date.parse(from)
    if (begins > Date.now()) search.set('at', minuteIn(zone, begins))
    if (seller !== undefined) search.set(TENANT_PARAM, String(seller))
    return { pathname, search: search.toString() }
  }
}

/** The sample cart that an address comes from. */
export const CART_PARAM = 'cart'

/** What is in a cart, for whom, and when; a sample cart or any other. */
export interface KnownCart {
  id: number | null
  /** Who sells. */
  tenant: { id: number }
  buyer: { id: number } | null
  at: string | null
  lines: readonly Pick<SampleCart['lines'][number], 'article_id' | 'article' | 'quantity' | 'unit' | 'warehouse_id' | 'processings'>[]
}

/** Where a cart is calculated, with all that it asks for; null for who may not see prices. */
export function useOpenCart(): ((cart: KnownCart) => To) | null {
  const { time_zone: zone } = useConfig()
  const { tenant_id: own } = useMe()
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
    if (own === null) search.set(TENANT_PARAM, String(tenant.id))
    return { pathname, search: search.toString() }
  }
}
