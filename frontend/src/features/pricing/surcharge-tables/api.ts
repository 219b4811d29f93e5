import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import { type SurchargeValuesInput, surchargeKeyedByValues, surchargeKindValues } from '~/api/schema'
import { crud } from '~/kit/records/crud'

const base = crud('/api/admin/surcharge-tables', {
  filters: {
    name: { kind: 'text' },
    kind: { kind: 'enum', values: surchargeKindValues },
    keyed_by: { kind: 'enum', values: surchargeKeyedByValues },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

const at = (id: number) => ({ params: { path: { id } } })

export const surchargeTables = {
  ...base,
  /** Values of a table, including those taken from its base tables. */
  values: (id: number) => $api.queryOptions('get', '/api/admin/surcharge-tables/{id}/values', at(id)),
  saveValues: (id: number, body: SurchargeValuesInput) =>
    change(data(client.PUT('/api/admin/surcharge-tables/{id}/values', { ...at(id), body }))),
}
