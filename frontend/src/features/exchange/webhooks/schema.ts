import type { Control } from 'react-hook-form'
import { type Webhook, type WebhookEvent, webhookEventValues } from '~/api/schema'
import { bodySchema, nullableText, text, z } from '~/kit/form/schema'
import type { BodyOf } from '~/kit/records/contract'

export type WebhookBody = BodyOf<'/api/admin/webhooks'>

export const URL_MAX = 2_048
const CERTIFICATES_MAX = 65_536

/** Events that can be selected; test events are always delivered. */
export const EVENTS: readonly WebhookEvent[] = webhookEventValues.filter((event) => event !== 'test')

export const webhookSchema = bodySchema<WebhookBody>()({
  url: text(URL_MAX).check(z.regex(/^https:\/\/[^\s/]/i, 'webhooks:rules.https')),
  events: z.array(z.enum(webhookEventValues as unknown as [WebhookEvent])).check(z.minLength(1, 'required')),
  ca_certificate: nullableText({ max: CERTIFICATES_MAX }),
})

export const toForm = (row: Webhook | null) => ({
  url: row?.url ?? '',
  events: row?.events ?? [],
  ca_certificate: row?.ca_certificate ?? '',
})

export type WebhookForm = ReturnType<typeof toForm>
export type WebhookControl = Control<WebhookForm, unknown, WebhookBody>
