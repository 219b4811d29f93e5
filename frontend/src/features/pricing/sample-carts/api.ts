import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import type { SampleCart } from '~/api/schema'
import { articleRef } from '~/features/catalog/articles/ref'
import { crud } from '~/kit/records/crud'

const ONE = '/api/admin/sample-carts/{id}'
const at = (id: number) => ({ params: { path: { id } } })

/** Fields of a cart that its page edits. */
export interface SampleCartHead {
  name: string
  expected_total: string | null
}

const base = crud('/api/admin/sample-carts', {
  filters: {
    name: { kind: 'text' },
    article_id: { kind: 'ref', source: articleRef, optional: true },
    updated_at: { kind: 'date' },
  },
  sorts: ['name', 'updated_at'],
  defaultSort: 'name',
  search: 'name',
})

export const sampleCarts = {
  ...base,
  /** Changes a cart; the lines stay, even if another user has changed them. */
  change: (id: number, { name, expected_total, version }: SampleCartHead & { version: number }): Promise<SampleCart> =>
    change(data(client.PATCH(ONE, { ...at(id), body: { name, expected_total, version } }))),
  difference: (id: number) => $api.queryOptions('get', `${ONE}/difference`, at(id)),
  /** Accepts the total that the user was shown as the expected total. */
  accept: ({ id, total, version }: SampleCart): Promise<SampleCart> =>
    change(data(client.POST(`${ONE}/accept`, { ...at(id), body: { total, version } }))),
}
