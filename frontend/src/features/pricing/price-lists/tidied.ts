import type { PriceList } from '~/api/schema'
import type { RecordApi } from '~/kit/records/record-editor'
import type { PriceListBody } from './schema'

type Api = RecordApi<PriceList, PriceListBody>

/** What the form hides is not meant: no end of what has none, nobody named of what is for all. */
export const meant = <B extends PriceListBody>(body: B): B => ({
  ...body,
  valid_until: body.limited ? body.valid_until : null,
  tenant_ids: body.scope === 'own' ? body.tenant_ids : [],
  tenant_group_ids: body.scope === 'own' ? body.tenant_group_ids : [],
})

export const tidied = (api: Api): Api => ({
  one: api.one,
  create: (body) => api.create(meant(body)),
  update: (id, body) => api.update(id, meant(body)),
})
