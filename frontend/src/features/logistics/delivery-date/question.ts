import type { ItineraryFrom, ItineraryInput, OrderDaysInput } from '~/api/schema'
import { type Unit, unitValues } from '~/api/schema'
import { momentOf } from '~/features/logistics/shared/itinerary/moments'
import { decimal, z } from '~/kit/form/schema'
import { isDay } from '~/lib/days'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import { dayIn, dayStartIn } from '~/lib/zone'

/** Kinds of places that goods come from. */
export const ORIGINS = ['warehouse', 'node', 'article'] as const
export type OriginKind = (typeof ORIGINS)[number]

/** Moments that a delivery date is asked by: that of the order, or the latest arrival. */
export const MODES = ['order', 'arrival'] as const
export type Mode = (typeof MODES)[number]

/** A question as it is typed. */
export interface DateForm {
  origin: OriginKind
  warehouse_id: number | null
  node_id: number | null
  article_id: number | null
  quantity: string
  unit: Unit | ''
  seller_id: number | null
  to_node_id: number | null
  mode: Mode
  /** Without one, an order is placed now. */
  day: string
  time: string
}

const amount = decimal({ above: 0 })

export const dateSchema = z
  .object({
    origin: z.enum(ORIGINS),
    warehouse_id: z.nullable(z.number()),
    node_id: z.nullable(z.number()),
    article_id: z.nullable(z.number()),
    quantity: z.string(),
    unit: z.string(),
    seller_id: z.nullable(z.number()),
    to_node_id: z.nullable(z.number()).check(z.refine((id) => id !== null, 'required')),
    mode: z.enum(MODES),
    day: z.string().check(z.refine((day) => day === '' || isDay(day), 'date')),
    time: z.string().check(z.refine((time) => time === '' || parseClockTime(completeClockTime(time)) !== null, 'clockTime')),
  })
  .check(
    z.check(({ value, issues }) => {
      const add = (path: keyof DateForm, message: string) => issues.push({ code: 'custom', input: value, path: [path], message })
      if (value[`${value.origin}_id`] === null) add(`${value.origin}_id`, 'required')
      if (value.origin === 'article') {
        for (const { message } of amount.safeParse(value.quantity).error?.issues ?? []) add('quantity', message)
      }
      if (value.mode === 'arrival' && value.day === '') add('day', 'required')
    }),
  )

function fromOf({ origin, warehouse_id, node_id, article_id, quantity, unit, seller_id }: DateForm): ItineraryFrom | null {
  if (origin === 'warehouse') return warehouse_id === null ? null : { warehouse_id }
  if (origin === 'node') return node_id === null ? null : { node_id }
  const { data } = amount.safeParse(quantity)
  if (article_id === null || data === undefined) return null
  return { article_id, quantity: data, ...(unit !== '' && { unit }), ...(seller_id !== null && { seller_id }) }
}

/** Requests to the server. */
export interface Question {
  itinerary: ItineraryInput
  /** Orders from the day of the order on, or from now; null as long as that day has to be found. */
  days: OrderDaysInput | null
}

/** The beginning of a moment's day. */
export const dayStartOf = (at: string, zone: string): string => new Date(dayStartIn(zone, dayIn(zone, Date.parse(at)))).toISOString()

/** The question of a form; null as long as something is missing. */
export function toQuestion(form: DateForm, zone: string): Question | null {
  const from = fromOf(form)
  const { to_node_id, mode, day } = form
  const moment = momentOf(form, zone)
  if (from === null || to_node_id === null || (day !== '' && moment === null) || (mode === 'arrival' && moment === null)) return null
  const way = { from, to_node_id }
  if (moment === null) return { itinerary: way, days: way }
  if (mode === 'arrival') return { itinerary: { ...way, arrive_by: moment }, days: null }
  return { itinerary: { ...way, at: moment }, days: { ...way, at: dayStartOf(moment, zone) } }
}

const idOf = (text: string | null | undefined) => (text && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null)
const isUnit = (text: string): text is Unit => unitValues.includes(text as Unit)

const PARAMS = { from: 'from', seller: 'seller', to: 'to', at: 'at', by: 'by' } as const

/** The question of an address: `?from=warehouse_3&to=7&at=2027-06-02T11:40`, `?from=article_24_3_piece&to=7&by=…`. */
export function readQuestion(search: string): DateForm {
  const params = new URLSearchParams(search)
  const [kind, ...parts] = (params.get(PARAMS.from) ?? '').split('_')
  const found = ORIGINS.find((one) => one === kind)
  const origin = found ?? 'warehouse'
  const [id, quantity = '', unit = ''] = found ? parts : []
  const mode = params.has(PARAMS.by) ? 'arrival' : 'order'
  const [day = '', time = ''] = (params.get(mode === 'arrival' ? PARAMS.by : PARAMS.at) ?? '').split('T')
  const isArticle = origin === 'article'
  return {
    origin,
    warehouse_id: origin === 'warehouse' ? idOf(id) : null,
    node_id: origin === 'node' ? idOf(id) : null,
    article_id: isArticle ? idOf(id) : null,
    quantity: isArticle ? quantity : '',
    unit: isArticle && isUnit(unit) ? unit : '',
    seller_id: isArticle ? idOf(params.get(PARAMS.seller)) : null,
    to_node_id: idOf(params.get(PARAMS.to)),
    mode,
    day,
    time,
  }
}

/** An address with this question; what else it says stays. */
export function writeQuestion(search: string, form: DateForm): string {
  const { origin, quantity, unit, seller_id, to_node_id, mode, day, time } = form
  const params = new URLSearchParams(search)
  for (const name of Object.values(PARAMS)) params.delete(name)
  const isArticle = origin === 'article'
  const id = form[`${origin}_id`]
  const from = [origin, id ?? '', ...(isArticle ? [quantity.replaceAll('_', ''), unit] : [])].join('_').replace(/_+$/, '')
  if (id !== null || origin !== 'warehouse') params.set(PARAMS.from, from)
  if (isArticle && seller_id !== null) params.set(PARAMS.seller, String(seller_id))
  if (to_node_id !== null) params.set(PARAMS.to, String(to_node_id))
  if (mode === 'arrival') params.set(PARAMS.by, day === '' ? '' : `${day}T${time}`)
  else if (day !== '') params.set(PARAMS.at, `${day}T${time}`)
  return params.toString()
}
