import Box from '@mui/material/Box'
import type { Webhook } from '~/api/schema'
import { PageForm } from '~/kit/records/page-form'
import { useRecordPage } from '~/kit/records/record-page-context'
import { webhooks } from './api'
import { WebhookFields } from './fields'
import { webhook } from './resource'
import { toForm, webhookSchema } from './schema'
import { SecretCard } from './secret-card'
import { WebhookState } from './state'

/** API without creation: this page edits existing webhooks, the drawer creates them. */
const api = { ...webhooks, create: () => Promise.reject(new Error('created in the drawer')) }

export default function WebhookDetails() {
  const { row } = useRecordPage<Webhook>()
  return (
    <>
      <WebhookState row={row} />
      <Box
        sx={{
          display: 'grid',
          gap: { xs: 3, lg: 4 },
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 520px) minmax(0, 1fr)' },
          alignItems: 'start',
        }}
      >
        <PageForm resource={webhook} api={api} schema={webhookSchema} toForm={toForm}>
          {({ control }) => <WebhookFields control={control} isNew={false} />}
        </PageForm>
        <SecretCard row={row} />
      </Box>
    </>
  )
}
