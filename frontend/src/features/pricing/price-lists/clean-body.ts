import type { PriceList } from '~/api/schema'
import type { RecordApi } from '~/kit/records/record-editor'
import type { PriceListBody } from './schema'

type Api = RecordApi<PriceList, PriceListBody>

/** Clears fields that the form hides: the end of an unlimited list, and the audience of a list for all. */
export const withoutHiddenFields = <B extends PriceListBody>(body: B): B => ({
  ...body,
  valid_until: body.limited ? body.valid_until : null,
  tenant_ids: body.scope === 'own' ? body.tenant_ids : [],
  tenant_group_ids: body.scope === 'own' ? body.tenant_group_ids : [],
})

export const withCleanBody = (api: Api): Api => ({
  one: api.one,
  create: (body) => api.create(withoutHiddenFields(body)),
  update: (id, body) => api.update(id, withoutHiddenFields(body)),
})
