import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import { type paths, type Webhook, type WebhookDelivery, webhookDeliveryStatusValues, webhookEventValues } from '~/api/schema'
import { crud } from '~/kit/records/crud'
import { type ListState, listSpec, toWire } from '~/kit/table/list-state'
import { EventName } from './event-name'

const LIST = '/api/admin/webhooks'
const ONE = `${LIST}/{id}`
const DELIVERIES = `${ONE}/deliveries`
const DELIVERY = '/api/admin/webhook-deliveries/{id}'
/** Polling intervals in milliseconds: while a delivery is pending, and otherwise. */
const WHILE_PENDING = 3_000
const REFRESH = 60_000

const at = (id: number) => ({ params: { path: { id } } })

/** Polling interval that depends on the last result. */
const refetchOptions = <T>(isPending: (result: T) => boolean) => ({
  refetchInterval: ({ state }: { state: { data?: T | undefined } }) => (state.data && isPending(state.data) ? WHILE_PENDING : REFRESH),
})

const base = crud(LIST, {
  filters: { updated_at: { kind: 'date' } },
  sorts: ['updated_at'],
  defaultSort: '-updated_at',
  search: null,
})

type DeliveryQuery = NonNullable<paths[typeof DELIVERIES]['get']['parameters']['query']>
const deliverySpec = listSpec<DeliveryQuery>()({
  filters: {
    event: { kind: 'enum', values: webhookEventValues, Text: EventName },
    status: { kind: 'enum', values: webhookDeliveryStatusValues },
  },
  sorts: [],
  defaultSort: '-id',
  search: null,
})

export const webhooks = {
  ...base,
  list: (state: ListState) => ({ ...base.list(state), refetchInterval: REFRESH }),
  one: (id: number) => ({ ...base.one(id), ...refetchOptions<Webhook>(({ state }) => state.pending > 0) }),
  /** Capabilities of the server. */
  options: () => $api.queryOptions('get', `${LIST}/options`),
  rotate: ({ id, version }: Webhook, overlap_hours: number) =>
    change(data(client.POST(`${ONE}/rotate-secret`, { ...at(id), body: { overlap_hours, version } }))),
  pause: (id: number) => change(data(client.POST(`${ONE}/pause`, at(id)))),
  resume: (id: number) => change(data(client.POST(`${ONE}/resume`, at(id)))),
  /** Sends a test event. */
  test: (id: number) => change(data(client.POST(`${ONE}/test`, at(id)))),
  deliverySpec,
  deliveries: (id: number, state: ListState) => ({
    ...$api.queryOptions('get', DELIVERIES, { params: { path: { id }, query: toWire<DeliveryQuery>(deliverySpec, state) } }),
    ...refetchOptions<{ data: readonly WebhookDelivery[] }>(({ data }) => data.some(({ status }) => status === 'pending')),
  }),
  delivery: (id: number) => ({
    ...$api.queryOptions('get', DELIVERY, at(id)),
    ...refetchOptions<WebhookDelivery>(({ status }) => status === 'pending'),
  }),
  sendAgain: (id: number) => change(data(client.POST(`${DELIVERY}/send-again`, at(id)))),
}
