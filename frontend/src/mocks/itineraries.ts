import { HttpResponse, type RequestHandler } from 'msw'
import type { EarliestArrival, Itinerary, ItineraryFrom, OrderDays } from '~/api/schema'
import type { Db } from './db'
import { http, type Mock } from './server'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ZONE = 'Europe/Berlin'

const iso = (moment: number) => new Date(moment).toISOString()
const dayOf = (moment: number) => iso(moment).slice(0, 10)

/** Departure of each leg: every day at 05:00 UTC, loading from 04:00, unloaded at 12:00. */
const lorryOf = (day: number) => ({ loading: day + 4 * HOUR, start: day + 5 * HOUR, unloading: day + 11 * HOUR, arrival: day + 12 * HOUR })
/** Day of the first departure that an order reaches. */
const dayFor = (order: number) => Math.ceil((order - 4 * HOUR) / DAY) * DAY
const alternative = (day: number) => ({
  arrives_at: iso(lorryOf(day).arrival),
  order_by: { at: iso(lorryOf(day).loading), is_inclusive: true },
})

const legTo = (db: Db, node: number) => db.shippingLegs.find(({ receiving_node }) => receiving_node.id === node)
const nodeOf = (db: Db, id: number) => ({ id, name: db.shippingNodes.find((node) => node.id === id)?.name ?? '' })

function warehouseOf(db: Db, { warehouse_id, article_id }: ItineraryFrom) {
  const warehouse = warehouse_id ? db.warehouses.find(({ id }) => id === warehouse_id) : article_id ? db.warehouses[0] : undefined
  return warehouse ? { id: warehouse.id, short_code: warehouse.short_code, name: warehouse.name } : null
}

function itinerary(db: Db, from: ItineraryFrom, to: number, order: number): Itinerary {
  const leg = legTo(db, to)
  const shared = {
    from_node: leg?.sending_node ?? null,
    to_node: nodeOf(db, to),
    lead_time: null,
    in_stock_at: null,
    readiness: null,
    time_zone: ZONE,
  }
  if (!leg) {
    const nothing = { ordered_at: iso(order), warehouse: null, available_at: null, stages: [], arrives_at: null, order_by: null }
    return { ...shared, ...nothing, earlier: null, later: null, no_way: { reason: 'not_connected', node: null } }
  }
  const day = dayFor(order)
  const { loading, start, unloading, arrival } = lorryOf(day)
  const plain = { leg, departure: null, order_time: null, reason: null, skipped: [] }
  const departure = { date: dayOf(day), time: '06:00' }
  return {
    ...shared,
    ordered_at: iso(order),
    warehouse: warehouseOf(db, from),
    available_at: iso(order),
    stages: [
      { ...plain, activity: 'waiting_for_departure', begins_at: iso(order), ends_at: iso(loading), departure },
      { ...plain, activity: 'loading', begins_at: iso(loading), ends_at: iso(start) },
      { ...plain, activity: 'travel', begins_at: iso(start), ends_at: iso(unloading) },
      { ...plain, activity: 'unloading', begins_at: iso(unloading), ends_at: iso(arrival) },
    ],
    arrives_at: iso(arrival),
    order_by: { at: iso(loading), is_inclusive: true },
    earlier: alternative(day - DAY),
    later: alternative(day + DAY),
    no_way: null,
  }
}

function earliest(db: Db, to: number, order: number): EarliestArrival {
  const { arrives_at, available_at, no_way } = itinerary(db, {}, to, order)
  const [warehouse] = db.warehouses
  return {
    arrives_at,
    available_at,
    no_way,
    warehouse: warehouse && arrives_at ? { id: warehouse.id, short_code: warehouse.short_code } : null,
  }
}

/** Itineraries of orders. */
export function itineraries({ db, guarded }: Mock): RequestHandler[] {
  return [
    http.post(
      '/api/admin/shipping/itineraries',
      guarded('shipping_node.view', async ({ request }) => {
        const { from, to_node_id, at, arrive_by } = (await request.json()) as {
          from: ItineraryFrom
          to_node_id: number
          at?: string
          arrive_by?: string
        }
        const latest = arrive_by ? Math.floor((Date.parse(arrive_by) - 12 * HOUR) / DAY) * DAY + 4 * HOUR : null
        return HttpResponse.json(itinerary(db, from, to_node_id, latest ?? (at ? Date.parse(at) : Date.now())))
      }),
    ),
    http.post(
      '/api/admin/shipping/order-days',
      guarded('shipping_node.view', async ({ request }) => {
        const { to_node_id, at } = (await request.json()) as { to_node_id: number; at?: string }
        if (!legTo(db, to_node_id))
          return HttpResponse.json<OrderDays>({ days: [], no_way: { reason: 'not_connected', node: null }, time_zone: ZONE })
        const first = Math.floor((at ? Date.parse(at) : Date.now()) / DAY) * DAY
        const days = Array.from({ length: 14 }, (_, place) => first + place * DAY)
        return HttpResponse.json<OrderDays>({
          days: days.map((day) => ({ date: dayOf(day), orders: [alternative(day), alternative(day + DAY)] })),
          no_way: null,
          time_zone: ZONE,
        })
      }),
    ),
    http.post(
      '/api/admin/shipping/stock-dates',
      guarded('stock.list', async ({ request }) => {
        const { stock_ids, to_node_id } = (await request.json()) as { stock_ids: number[]; to_node_id: number }
        return HttpResponse.json({
          data: stock_ids.map((_, index) => ({ index, earliest: earliest(db, to_node_id, Date.now()), errors: [] })),
        })
      }),
    ),
    http.post(
      '/api/admin/shipping/cart-dates',
      guarded('stock.list', async ({ request }) => {
        const { lines, to_node_id, at } = (await request.json()) as { lines: unknown[]; to_node_id: number; at?: string | null }
        const date = earliest(db, to_node_id, at ? Date.parse(at) : Date.now())
        return HttpResponse.json({ data: lines.map((_, index) => ({ index, earliest: date, errors: [] })) })
      }),
    ),
  ]
}
