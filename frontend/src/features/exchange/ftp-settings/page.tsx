import { SettingsPage } from '~/features/exchange/shared/settings-page'
import { ftpSettingsApi } from './api'
import { ftpSettings } from './description'
import { FtpFields } from './fields'
import { Runs } from './runs'
import { ftpSettingsSchema, toForm } from './schema'

/** Page for the server that a tenant's files are fetched from. */
export default function FtpSettingsPage() {
  return (
    <SettingsPage
      resource={ftpSettings}
      api={ftpSettingsApi}
      schema={ftpSettingsSchema}
      toForm={toForm}
      above={(row) => <Runs row={row} />}
    >
      {(form, row, options) => <FtpFields form={form} row={row} options={options} />}
    </SettingsPage>
  )
}
