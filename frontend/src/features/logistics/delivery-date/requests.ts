import type { ItineraryFrom, ItineraryInput, OrderDaysInput } from '~/api/schema'
import { momentOf } from '~/features/logistics/shared/itinerary/moments'
import { code, decimal, z } from '~/kit/form/schema'
import { isDay } from '~/lib/days'
import { completeClockTime, parseClockTime } from '~/lib/duration'
import { dayIn, dayStartIn } from '~/lib/zone'
import { type DateForm, ORIGINS, TIME_MODES } from './address'

const amount = decimal({ above: 0 })

export const dateSchema = z
  .object({
    origin: z.enum(ORIGINS),
    warehouse_id: z.nullable(z.number()),
    warehouse_short_code: z.string().check(z.maxLength(255, code('maxChars', { max: 255 }))),
    node_id: z.nullable(z.number()),
    article_id: z.nullable(z.number()),
    quantity: z.string(),
    unit: z.string(),
    seller_id: z.nullable(z.number()),
    to_node_id: z.nullable(z.number()).check(z.refine((id) => id !== null, 'required')),
    mode: z.enum(TIME_MODES),
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

/** Warehouse that an article must come from; a seller's warehouse is given by its short code. */
function warehouseOf({
  warehouse_id,
  warehouse_short_code,
  seller_id,
}: DateForm): Pick<ItineraryFrom, 'warehouse_id' | 'warehouse_short_code'> {
  if (seller_id === null) return warehouse_id === null ? {} : { warehouse_id }
  const shortCode = warehouse_short_code.trim()
  return shortCode === '' ? {} : { warehouse_short_code: shortCode }
}

function fromOf(form: DateForm): ItineraryFrom | null {
  const { origin, warehouse_id, node_id, article_id, quantity, unit, seller_id } = form
  if (origin === 'warehouse') return warehouse_id === null ? null : { warehouse_id }
  if (origin === 'node') return node_id === null ? null : { node_id }
  const { data } = amount.safeParse(quantity)
  if (article_id === null || data === undefined) return null
  return { article_id, quantity: data, ...(unit !== '' && { unit }), ...(seller_id !== null && { seller_id }), ...warehouseOf(form) }
}

/** Requests to the server. */
export interface DeliveryDateRequests {
  itinerary: ItineraryInput
  /** Orders from the day of the order on, or from now; null while that day is unknown. */
  days: OrderDaysInput | null
}

/** Start of a time's day. */
export const dayStartOf = (at: string, zone: string): string => new Date(dayStartIn(zone, dayIn(zone, Date.parse(at)))).toISOString()

/** Converts the form to requests; null while it is incomplete. */
export function toDeliveryDateRequests(form: DateForm, zone: string): DeliveryDateRequests | null {
  const from = fromOf(form)
  const { to_node_id, mode, day } = form
  const moment = momentOf(form, zone)
  if (from === null || to_node_id === null || (day !== '' && moment === null) || (mode === 'arrival' && moment === null)) return null
  const route = { from, to_node_id }
  if (moment === null) return { itinerary: route, days: route }
  if (mode === 'arrival') return { itinerary: { ...route, arrive_by: moment }, days: null }
  return { itinerary: { ...route, at: moment }, days: { ...route, at: dayStartOf(moment, zone) } }
}
