import { SettingsPage } from '~/features/exchange/shared/settings-page'
import { externalApis } from './api'
import { externalApi } from './description'
import { ExternalApiFields } from './fields'
import { externalApiSchema, toForm } from './schema'
import { StateCard } from './state-card'

/** Page for the external API of a tenant. */
export default function ExternalApisPage() {
  return (
    <SettingsPage
      resource={externalApi}
      api={externalApis}
      schema={externalApiSchema}
      toForm={toForm}
      above={(row) => <StateCard row={row} />}
    >
      {(form, row, options) => <ExternalApiFields form={form} row={row} options={options} />}
    </SettingsPage>
  )
}
