import { queryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import { type Attribute, attributeTypeValues } from '~/api/schema'
import { crud } from '~/kit/records/crud'

const LIST = '/api/admin/attributes'

export const attributes = {
  ...crud(LIST, {
    filters: {
      name: { kind: 'text' },
      type: { kind: 'enum', values: attributeTypeValues },
      primary: { kind: 'bool' },
      updated_at: { kind: 'date' },
    },
    sorts: ['position', 'name', 'type', 'primary', 'updated_at'],
    defaultSort: 'position',
    search: 'name',
    // articles change with it
    longTimeout: true,
    bulk: () => import('./bulk'),
  }),
  /** All attributes in their order: sorting needs more than one page. */
  all: () =>
    queryOptions({
      queryKey: ['get', LIST, 'all'],
      async queryFn({ signal }) {
        const rows: Attribute[] = []
        for (let page = 1; ; page++) {
          const query = { 'page[number]': page, 'page[size]': 200, sort: 'position' as const }
          const answer = await data(client.GET(LIST, { params: { query }, signal }))
          rows.push(...answer.data)
          if (page >= answer.meta.last_page) return rows
        }
      },
    }),
}
