import type { To } from 'react-router'
import type { Unit } from '~/api/schema'
import { minuteIn } from '~/lib/zone'
import { useConfig } from '~/session/config'
import { useCan } from '~/session/me'
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
