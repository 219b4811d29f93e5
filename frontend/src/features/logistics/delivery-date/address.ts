import { type Unit, unitValues } from '~/api/schema'
import { DESTINATION_PARAM } from '~/features/shared/destination/destination-param'
import { parseId } from '~/lib/ids'

/** Kinds of origins of goods. */
export const ORIGINS = ['warehouse', 'node', 'article'] as const
export type OriginKind = (typeof ORIGINS)[number]

/** Kinds of times that a delivery date is computed from: that of the order, or the latest arrival. */
export const TIME_MODES = ['order', 'arrival'] as const
export type TimeMode = (typeof TIME_MODES)[number]

/** Request for a delivery date as entered. */
export interface DateForm {
  origin: OriginKind
  /** Origin of the goods; for an article, the only warehouse that may be used. */
  warehouse_id: number | null
  /** Short code of the seller's warehouse, for an article of a seller. */
  warehouse_short_code: string
  node_id: number | null
  article_id: number | null
  quantity: string
  unit: Unit | ''
  seller_id: number | null
  to_node_id: number | null
  mode: TimeMode
  /** Day of the order or the arrival; without one, the order is placed now. */
  day: string
  time: string
}

const isUnit = (text: string): text is Unit => unitValues.includes(text as Unit)

const PARAMS = { from: 'from', seller: 'seller', warehouse: 'warehouse', to: DESTINATION_PARAM, at: 'at', by: 'by' } as const

/**
 * Reads the request from a query string: `?from=warehouse_3&to=7&at=2027-06-02T11:40`;
 * `?from=article_24_3_piece_5&to=7&by=…` for an article from warehouse 5.
 */
export function readQuestion(search: string): DateForm {
  const params = new URLSearchParams(search)
  const [kind, ...parts] = (params.get(PARAMS.from) ?? '').split('_')
  const match = ORIGINS.find((value) => value === kind)
  const origin = match ?? 'warehouse'
  const [id, quantity = '', unit = '', warehouse = ''] = match ? parts : []
  const mode = params.has(PARAMS.by) ? 'arrival' : 'order'
  const [day = '', time = ''] = (params.get(mode === 'arrival' ? PARAMS.by : PARAMS.at) ?? '').split('T')
  const isArticle = origin === 'article'
  return {
    origin,
    warehouse_id: origin === 'node' ? null : parseId(isArticle ? warehouse : id),
    warehouse_short_code: isArticle ? (params.get(PARAMS.warehouse) ?? '') : '',
    node_id: origin === 'node' ? parseId(id) : null,
    article_id: isArticle ? parseId(id) : null,
    quantity: isArticle ? quantity : '',
    unit: isArticle && isUnit(unit) ? unit : '',
    seller_id: isArticle ? parseId(params.get(PARAMS.seller)) : null,
    to_node_id: parseId(params.get(PARAMS.to)),
    mode,
    day,
    time,
  }
}

/** Writes the request into a query string; other parameters stay. */
export function writeQuestion(search: string, form: DateForm): string {
  const { origin, warehouse_id, warehouse_short_code, quantity, unit, seller_id, to_node_id, mode, day, time } = form
  const params = new URLSearchParams(search)
  for (const name of Object.values(PARAMS)) params.delete(name)
  const isArticle = origin === 'article'
  const id = form[`${origin}_id`]
  const from = [origin, id ?? '', ...(isArticle ? [quantity.replaceAll('_', ''), unit, (seller_id === null && warehouse_id) || ''] : [])]
    .join('_')
    .replace(/_+$/, '')
  if (id !== null || origin !== 'warehouse') params.set(PARAMS.from, from)
  if (isArticle && seller_id !== null) {
    params.set(PARAMS.seller, String(seller_id))
    if (warehouse_short_code.trim() !== '') params.set(PARAMS.warehouse, warehouse_short_code.trim())
  }
  if (to_node_id !== null) params.set(PARAMS.to, String(to_node_id))
  if (mode === 'arrival') params.set(PARAMS.by, day === '' ? '' : `${day}T${time}`)
  else if (day !== '') params.set(PARAMS.at, `${day}T${time}`)
  return params.toString()
}
