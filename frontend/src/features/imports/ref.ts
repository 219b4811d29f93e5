import { $api } from '~/api/client'
import type { Import } from '~/api/schema'
import type { RefSource } from '~/kit/list/ref-source'
import { LIST, ONE } from './running'

/** The newest first: those are asked about. */
export const importRef: RefSource<Import> = {
  find: (search) =>
    $api.queryOptions('get', LIST, {
      params: { query: { 'page[size]': 20, sort: '-created_at', ...(search && { filter: { 'filter[name]': search } }) } },
    }),
  one: (id) => $api.queryOptions('get', ONE, { params: { path: { id } } }),
  id: (row) => row.id,
  label: ({ id, name, upload_file }) => `${id} – ${name || upload_file}`,
}
