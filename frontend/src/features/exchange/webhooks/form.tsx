import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { WebhookWithSecret } from '~/api/schema'
import { RecordForm } from '~/kit/records/record-form'
import { keepTenant } from '~/session/tenant'
import { webhooks } from './api'
import { WebhookFields } from './fields'
import { webhook } from './resource'
import { toForm, type WebhookBody, webhookSchema } from './schema'
import { SecretDialog } from './secret-dialog'

export default function WebhookForm() {
  const navigate = useNavigate()
  const { search } = useLocation()
  const [created, setCreated] = useState<WebhookWithSecret | null>(null)
  const api = {
    ...webhooks,
    create: async (body: WebhookBody) => {
      const answer = await webhooks.create(body)
      setCreated(answer)
      return answer.webhook
    },
  }
  // test events are sent from the page of the webhook
  const toPage = (id: number) => void navigate({ pathname: `${webhook.path}/${id}`, search: keepTenant(search) })
  return (
    <>
      <RecordForm resource={webhook} api={api} schema={webhookSchema} toForm={toForm} created={() => {}}>
        {({ control }) => <WebhookFields control={control} isNew />}
      </RecordForm>
      {created && <SecretDialog secret={created.secret} onClose={() => toPage(created.webhook.id)} />}
    </>
  )
}
