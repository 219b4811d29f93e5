import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import { type ImportProfilesInput, type ImportType, importTypeValues } from '~/api/schema'
import { crud } from '~/kit/records/crud'

const LIST = '/api/admin/import-profiles'

/** Maximum number of profiles of a tenant. */
const MOST = 200

export const importProfiles = {
  ...crud(LIST, {
    filters: {
      name: { kind: 'text' },
      type: { kind: 'enum', values: importTypeValues },
      updated_at: { kind: 'date' },
    },
    sorts: ['name', 'updated_at'],
    defaultSort: 'name',
    search: 'name',
  }),
  /** Profiles for files of a type. */
  ofType: (type: ImportType) =>
    $api.queryOptions('get', LIST, { params: { query: { 'page[size]': MOST, sort: 'name', filter: { 'filter[type]': [type] } } } }),
  all: () => data(client.GET(LIST, { params: { query: { 'page[size]': MOST, sort: 'name' } } })),
  rename: (id: number, body: { name: string; version: number }) =>
    change(data(client.PATCH(`${LIST}/{id}`, { params: { path: { id } }, body }))),
  /** Saves all profiles of a file, or none if one is invalid. */
  saveAll: (body: ImportProfilesInput) => change(data(client.POST(`${LIST}/import`, { body }))),
}
