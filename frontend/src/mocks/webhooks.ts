import { HttpResponse, type RequestHandler } from 'msw'
import type { Webhook, WebhookDelivery, WebhookDeliveryDetail, WebhookInput, WebhookWithSecret } from '~/api/schema'
import { page } from './list'
import { http, type Mock, problem } from './server'

const LIST = '/api/admin/webhooks'
const ONE = `${LIST}/{id}`
const DELIVERY = '/api/admin/webhook-deliveries/{id}'
const RIGHT = 'configure-webhooks'
const NOW = '2026-11-28T08:00:00Z'

/** Makes a webhook of an input. */
const saved = ({ url, events, ca_certificate }: WebhookInput, before: Webhook | undefined): Webhook => ({
  id: before?.id ?? 1,
  version: (before?.version ?? 0) + 1,
  created_at: NOW,
  updated_at: NOW,
  tenant: { id: 1, short_code: 'NORD' },
  url,
  events,
  ca_certificate: ca_certificate ?? null,
  previous_secret_until: before?.previous_secret_until ?? null,
  state: before?.state ?? {
    status: 'unused',
    pending: 0,
    failing_since: null,
    retry_at: null,
    last_success_at: null,
    paused_at: null,
    pause_reason: null,
    last_failure: null,
  },
})

const attemptAt = (at: string, by_hand: boolean) => ({ at, status: 204, duration_ms: 84, failure: null, by_hand })

/** Test event of a webhook, delivered immediately. */
const testEvent = (id: number): WebhookDeliveryDetail => ({
  id,
  webhook_id: 1,
  message_id: `msg_${id}`,
  event: 'test',
  subject: 'webhooks/1',
  created_at: NOW,
  status: 'delivered',
  attempts: 1,
  next_attempt_at: null,
  delivered_at: NOW,
  last_status: 204,
  last_duration_ms: 84,
  last_failure: null,
  request: { headers: [{ name: 'webhook-id', value: `msg_${id}` }], body: '{"type":"test","data":{}}' },
  log: [attemptAt(NOW, false)],
})

/** Webhooks and their deliveries; nothing is sent. */
export function webhooks({ db, guarded }: Mock): RequestHandler[] {
  const missing = () => problem(404, 'not_found', 'Nicht gefunden.')
  const at = (params: Record<string, string>) => db.webhooks.findIndex(({ id }) => id === Number(params.id))
  const delivery = (params: Record<string, string>) => db.webhookDeliveries.find(({ id }) => id === Number(params.id))
  const store = (place: number, row: Webhook) => {
    db.webhooks[place] = { ...row, version: row.version + 1 }
    return HttpResponse.json<Webhook>(db.webhooks[place])
  }
  const paused = (value: boolean) =>
    guarded<Webhook>(RIGHT, ({ params }) => {
      const row = db.webhooks[at(params)]
      if (!row) return missing()
      const change = value
        ? ({ status: 'paused', paused_at: NOW, pause_reason: 'by_hand' } as const)
        : ({ status: 'ok', paused_at: null, pause_reason: null } as const)
      return store(at(params), { ...row, state: { ...row.state, ...change } })
    })
  return [
    http.get(
      LIST,
      guarded(RIGHT, ({ url }) => page(db.webhooks, url, '-updated_at', ['url'])),
    ),
    http.post(
      LIST,
      guarded<WebhookWithSecret>(RIGHT, async ({ request }) => {
        const webhook = saved((await request.json()) as WebhookInput, undefined)
        db.webhooks.push(webhook)
        return HttpResponse.json({ webhook, secret: 'whsec_first' }, { status: 201 })
      }),
    ),
    http.get(
      `${LIST}/options`,
      guarded(RIGHT, () => HttpResponse.json(db.webhookOptions)),
    ),
    http.get(
      ONE,
      guarded<Webhook>(RIGHT, ({ params }) => {
        const row = db.webhooks[at(params)]
        return row ? HttpResponse.json(row) : missing()
      }),
    ),
    http.put(
      ONE,
      guarded<Webhook>(RIGHT, async ({ request, params }) => {
        const row = db.webhooks[at(params)]
        if (!row) return missing()
        db.webhooks[at(params)] = saved((await request.json()) as WebhookInput, row)
        return HttpResponse.json(db.webhooks[at(params)] as Webhook)
      }),
    ),
    http.delete(
      ONE,
      guarded(RIGHT, ({ params }) => {
        db.webhooks.splice(at(params), 1)
        return new HttpResponse(null, { status: 204 }) as never
      }),
    ),
    http.post(
      `${ONE}/rotate-secret`,
      guarded<WebhookWithSecret>(RIGHT, async ({ request, params }) => {
        const row = db.webhooks[at(params)]
        const { overlap_hours } = (await request.json()) as { overlap_hours: number }
        if (!row) return missing()
        const webhook = { ...row, previous_secret_until: new Date(Date.now() + overlap_hours * 3_600_000).toISOString() }
        db.webhooks[at(params)] = webhook
        return HttpResponse.json({ webhook, secret: 'whsec_second' })
      }),
    ),
    http.post(
      `${ONE}/test`,
      guarded<WebhookDelivery>(RIGHT, () => {
        const event = testEvent(db.webhookDeliveries.length + 1)
        db.webhookDeliveries.unshift(event)
        return HttpResponse.json<WebhookDelivery>(event, { status: 202 })
      }),
    ),
    http.post(`${ONE}/pause`, paused(true)),
    http.post(`${ONE}/resume`, paused(false)),
    http.get(
      `${ONE}/deliveries`,
      guarded(RIGHT, ({ url }) =>
        page(
          db.webhookDeliveries.map((row) => ({ ...row, updated_at: row.created_at })),
          url,
          '-id',
          [],
        ),
      ),
    ),
    http.get(
      DELIVERY,
      guarded<WebhookDeliveryDetail>(RIGHT, ({ params }) => {
        const row = delivery(params)
        return row ? HttpResponse.json(row) : missing()
      }),
    ),
    http.post(
      `${DELIVERY}/send-again`,
      guarded<WebhookDelivery>(RIGHT, ({ params }) => {
        const row = delivery(params)
        if (!row) return missing()
        row.log.push(attemptAt('2026-11-28T09:00:00Z', true))
        row.attempts += 1
        return HttpResponse.json<WebhookDelivery>(row, { status: 202 })
      }),
    ),
  ]
}
