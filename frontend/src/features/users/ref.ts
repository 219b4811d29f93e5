import { $api } from '~/api/client'
import type { User } from '~/api/schema'
import type { RefSource } from '~/kit/list/ref-source'

export const userRef: RefSource<User> = {
  find: (search) =>
    $api.queryOptions('get', '/api/admin/users', {
      params: { query: { 'page[size]': 20, sort: 'name', ...(search && { filter: { 'filter[name]': search } }) } },
    }),
  one: (id) => $api.queryOptions('get', '/api/admin/users/{id}', { params: { path: { id } } }),
  id: (user) => user.id,
  label: (user) => user.name,
}
