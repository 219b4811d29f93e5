import { type PriceList, type PriceListType, priceListTypeValues } from '~/api/schema'
import { TENANT_PARAM } from '~/session/tenant'
import { priceList } from './resource'

/** Article, buyer and type of the prices that a timeline shows. */
export interface TimelineQuery {
  article: number | null
  /** Buyer; null for the prices of the seller itself. */
  buyer: number | null
  type: PriceListType
}

export const TIMELINE = `${priceList.path}/timeline`

const parseKey = (text: string | null) => (text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

/** Reads the query from the URL; invalid values are ignored. */
export function readTimelineQuery(search: string): TimelineQuery {
  const params = new URLSearchParams(search)
  const type = priceListTypeValues.find((value) => value === params.get('type')) ?? 'sales'
  const sales = type === 'sales'
  return {
    article: parseKey(params.get('article')),
    buyer: sales ? parseKey(params.get('buyer')) : null,
    type,
  }
}

/** Writes the query into the URL; other parameters stay. */
export function writeTimelineQuery(search: string, { article, buyer, type }: TimelineQuery): string {
  const params = new URLSearchParams(search)
  for (const [name, value] of [
    ['article', article],
    ['buyer', buyer],
    ['type', type === 'sales' ? null : type],
  ] as const) {
    if (value === null) params.delete(name)
    else params.set(name, String(value))
  }
  return params.toString()
}

/**
 * Path of an article's timeline with all lists of the same seller; a group's own lists are viewed as one of
 * its members.
 */
export function timelineOf(article: number, { type, owner_tenant }: PriceList): { pathname: string; search: string } {
  const search = writeTimelineQuery('', { article, buyer: null, type })
  return { pathname: TIMELINE, search: owner_tenant ? `${search}&${TENANT_PARAM}=${owner_tenant.id}` : search }
}
