import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DeleteButton } from '~/kit/records/delete-button'
import { TabFrame } from '~/kit/records/page-form'
import { RecordEditor } from '~/kit/records/record-editor'
import { EmptyState } from '~/kit/ui/empty-state'
import { LoadFailed } from '~/kit/ui/load-failed'
import { Page } from '~/kit/ui/page'
import { Waiting } from '~/kit/ui/waiting'
import { useTenant } from '~/session/tenant'
import { externalApis } from './api'
import { externalApi } from './description'
import { ExternalApiFields } from './fields'
import { externalApiSchema, toForm } from './schema'
import { StateCard } from './state-card'

/** The API of a tenant's own system. Another tenant's is another page. */
export default function ExternalApisPage() {
  const { tenantId } = useTenant()
  return <Settings key={tenantId} />
}

function Settings() {
  const { t } = useTranslation('externalApis')
  const [creating, setCreating] = useState(false)
  const list = useQuery(externalApis.all())
  const options = useQuery(externalApis.options())
  const row = list.data?.data[0] ?? null
  const failed = list.error ?? options.error
  const retry = () => void Promise.all([list.refetch(), options.refetch()])
  return (
    <Page
      title={t('title.list')}
      intro={t('intro')}
      actions={row && <DeleteButton of={externalApi} api={externalApis} row={row} onDeleting={() => setCreating(false)} />}
    >
      {failed && !list.data ? (
        <LoadFailed error={failed} retry={retry} pending={list.isFetching || options.isFetching} />
      ) : !list.data || !options.data ? (
        <Waiting />
      ) : (
        <>
          {!options.data.secrets_available && <Alert severity="warning">{t('secret.noKey')}</Alert>}
          {row && <StateCard row={row} />}
          {row || creating ? (
            <RecordEditor
              key={row?.id ?? 'new'}
              of={externalApi}
              api={externalApis}
              schema={externalApiSchema}
              toForm={toForm}
              Frame={TabFrame}
              row={row}
            >
              {(form, saved) => <ExternalApiFields form={form} row={saved} options={options.data} />}
            </RecordEditor>
          ) : (
            <EmptyState
              icon={Plug}
              title={t('empty.title')}
              action={
                <Button variant="contained" onClick={() => setCreating(true)}>
                  {t('actions.new')}
                </Button>
              }
            >
              {t('empty.body')}
            </EmptyState>
          )}
        </>
      )}
    </Page>
  )
}
