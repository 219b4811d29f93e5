import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
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
import { ftpSettingsApi } from './api'
import { ftpSettings } from './description'
import { FtpFields } from './fields'
import { Runs } from './runs'
import { ftpSettingsSchema, toForm } from './schema'

/** The server that a tenant's files come from. Another tenant's settings are another page. */
export default function FtpSettingsPage() {
  const { tenantId } = useTenant()
  return <Settings key={tenantId} />
}

function Settings() {
  const { t } = useTranslation('ftpSettings')
  const [creating, setCreating] = useState(false)
  /** The settings that are being deleted: their runs are not asked for any more. */
  const [deleted, setDeleted] = useState<number | null>(null)
  const list = useQuery(ftpSettingsApi.all())
  const options = useQuery(ftpSettingsApi.options())
  const row = list.data?.data[0] ?? null
  const failed = list.error ?? options.error
  const retry = () => void Promise.all([list.refetch(), options.refetch()])
  const onDeleting = (now: boolean) => {
    setCreating(false)
    setDeleted(now && row ? row.id : null)
  }
  return (
    <Page
      title={t('title.list')}
      intro={t('intro')}
      actions={row && <DeleteButton of={ftpSettings} api={ftpSettingsApi} row={row} onDeleting={onDeleting} />}
    >
      {failed ? (
        <LoadFailed error={failed} retry={retry} pending={list.isFetching || options.isFetching} />
      ) : !list.data || !options.data ? (
        <Waiting />
      ) : (
        <>
          {!options.data.secrets_available && <Alert severity="warning">{t('secret.noKey')}</Alert>}
          {row && row.id !== deleted && <Runs row={row} />}
          {row || creating ? (
            <RecordEditor
              key={row?.id ?? 'new'}
              of={ftpSettings}
              api={ftpSettingsApi}
              schema={ftpSettingsSchema}
              toForm={toForm}
              Frame={TabFrame}
              row={row}
            >
              {(form, saved) => <FtpFields form={form} row={saved} options={options.data} />}
            </RecordEditor>
          ) : (
            <EmptyState
              icon={Globe}
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
