import { HttpResponse, type RequestHandler } from 'msw'
import type {
  NextDeparture,
  ShippingLeg,
  ShippingLegInput,
  ShippingLegsInput,
  ShippingNodeClosure,
  ShippingNodeClosureInput,
  ShippingNodeDaysOff,
} from '~/api/schema'
import { crud } from './crud'
import type { Db } from './db'
import { http, type Mock, problem } from './server'

const node = (db: Db, id: number) => ({ id, name: db.shippingNodes.find((candidate) => candidate.id === id)?.name ?? '' })

/** Leg as the server returns it, without the fields of every record. */
function legOf(db: Db, { order_time = null, ...input }: ShippingLegInput) {
  const { sending_node_id, receiving_node_id, version, ...rest } = input
  const [sending_node, receiving_node] = [node(db, sending_node_id), node(db, receiving_node_id)]
  return {
    ...rest,
    exceptions: rest.exceptions.map(({ time = null, ...exception }) => ({ ...exception, time })),
    order_time,
    name: `${sending_node.name} → ${receiving_node.name}`,
    sending_node,
    receiving_node,
    departures_per_week: rest.departures.length,
    departure_times: rest.departures.map(({ weekday, time }) => ({
      weekday,
      start_time: time,
      order_time: order_time ?? time,
      order_day_offset: 0,
      arrival_time: time,
      arrival_day_offset: 1,
    })),
  }
}

/** Next departures of every leg: one on a public holiday, one that runs. */
const NEXT: NextDeparture[] = [
  {
    date: '2026-12-25',
    time: '06:00',
    starts_at: '2026-12-25T05:00:00Z',
    order_by: '2026-12-25T03:30:00Z',
    arrives_at: '2026-12-25T15:45:00Z',
    runs: false,
    reason: { code: 'public_holiday', holiday: 'christmas_day', region: 'DE-NW', minutes: null, weekday: null, name: null },
  },
  {
    date: '2026-12-28',
    time: '06:00',
    starts_at: '2026-12-28T05:00:00Z',
    order_by: '2026-12-28T03:30:00Z',
    arrives_at: '2026-12-28T15:45:00Z',
    runs: true,
    reason: null,
  },
]

/** Shipping network. */
export function shipping(mock: Mock): RequestHandler[] {
  const { db, guarded } = mock
  const create = (input: ShippingLegInput): ShippingLeg => {
    const now = new Date().toISOString()
    const id = Math.max(0, ...db.shippingLegs.map((leg) => leg.id)) + 1
    const leg = { ...legOf(db, input), id, version: 1, created_at: now, updated_at: now }
    db.shippingLegs.push(leg)
    return leg
  }
  return [
    http.get(
      '/api/admin/shipping-nodes/{id}/calendar',
      guarded('shipping_node.view', ({ params, url }) => {
        const year = url.searchParams.get('year') ?? ''
        return HttpResponse.json<ShippingNodeDaysOff>({
          region: 'DE-NW',
          working_week: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
          public_holidays: [{ date: `${year}-12-25`, holiday: 'christmas_day' }],
          closures: db.shippingNodeClosures.filter(
            ({ date, shipping_node_id }) => date.startsWith(year) && shipping_node_id === Number(params.id),
          ),
        })
      }),
    ),
    http.post(
      '/api/admin/shipping-node-closures',
      guarded('shipping_node.update', async ({ request }) => {
        const input = (await request.json()) as ShippingNodeClosureInput
        const now = new Date().toISOString()
        const id = Math.max(0, ...db.shippingNodeClosures.map((other) => other.id)) + 1
        const closure: ShippingNodeClosure = { id, ...input, version: 1, created_at: now, updated_at: now }
        db.shippingNodeClosures.push(closure)
        return HttpResponse.json(closure, { status: 201 })
      }),
    ),
    http.delete(
      '/api/admin/shipping-node-closures/{id}',
      guarded('shipping_node.update', ({ params }) => {
        db.shippingNodeClosures = db.shippingNodeClosures.filter(({ id }) => id !== Number(params.id))
        return new HttpResponse(null, { status: 204 })
      }),
    ),
    http.get(
      '/api/admin/shipping-nodes/{id}/legs',
      guarded('shipping_node.view', ({ params }) => {
        const ends = ({ sending_node, receiving_node }: ShippingLeg) => [sending_node.id, receiving_node.id]
        return HttpResponse.json({ data: db.shippingLegs.filter((leg) => ends(leg).includes(Number(params.id))) })
      }),
    ),
    http.post(
      '/api/admin/shipping-nodes/{id}/legs',
      guarded('shipping_node.update', async ({ request, params }) => {
        const { both_directions, ...input } = (await request.json()) as ShippingLegsInput
        const pair = [Number(params.id), input.receiving_node_id] as const
        const pairs = both_directions ? [pair, [pair[1], pair[0]] as const] : [pair]
        const findLeg = (from: number, to: number) =>
          db.shippingLegs.find((leg) => leg.sending_node.id === from && leg.receiving_node.id === to)
        const existing = pairs.flatMap(([from, to]) => findLeg(from, to) ?? [])
        if (existing.length === pairs.length)
          return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { receiving_node_id: ['Bereits vergeben'] })
        const created = pairs
          .filter(([from, to]) => !findLeg(from, to))
          .map(([sending_node_id, receiving_node_id]) => create({ ...input, sending_node_id, receiving_node_id }))
        return HttpResponse.json({ created, existing }, { status: 201 })
      }),
    ),
    http.get(
      '/api/admin/shipping-legs/{id}/next-departures',
      guarded('shipping_node.view', () => HttpResponse.json({ departures: NEXT })),
    ),
    http.get(
      '/api/admin/shipping/findings',
      guarded('shipping_node.list', () => HttpResponse.json({ data: db.shippingFindings })),
    ),
    ...crud(mock, '/api/admin/shipping-legs', {
      rows: () => db.shippingLegs,
      right: 'shipping_node',
      sort: 'name',
      textFields: ['name'],
      row: (body) => legOf(db, body),
    }),
    ...crud(mock, '/api/admin/shipping-nodes', {
      rows: () => db.shippingNodes,
      right: 'shipping_node',
      sort: 'name',
      textFields: ['name', 'address'],
      row: ({ warehouse_id, ...body }, before) => ({
        ...body,
        warehouse: db.warehouses.find(({ id }) => id === warehouse_id) ?? null,
        incoming_legs: before?.incoming_legs ?? [],
        outgoing_legs: before?.outgoing_legs ?? [],
      }),
    }),
  ]
}
