import type { To } from 'react-router'
import type { SampleCart } from '~/api/schema'
import { CART_PARAM, useCalculator } from '~/features/price-calculator/ref'
import { minuteIn } from '~/lib/zone'
import { useConfig } from '~/session/config'
import { useMe } from '~/session/me'
import { TENANT_PARAM } from '~/session/tenant'

/** Where a cart is calculated, with all that it asks for; null for who may not see prices. */
export function useOpen(): ((row: SampleCart) => To) | null {
  const { time_zone: zone } = useConfig()
  const { tenant_id: own } = useMe()
  const pathname = useCalculator()
  if (pathname === null) return null
  return ({ id, tenant, buyer, at, lines }) => {
    const search = new URLSearchParams({ [CART_PARAM]: String(id) })
    // who belongs to a tenant names buyers by their short code
    if (buyer && own === null) search.set('buyer', String(buyer.id))
    if (buyer && own !== null) search.set('buyerCode', buyer.short_code)
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
