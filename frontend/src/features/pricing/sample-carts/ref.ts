import { change } from '~/api/change'
import { $api, client, data } from '~/api/client'
import type { SampleCart, SampleCartInput } from '~/api/schema'
import { reference } from '~/kit/records/reference'
import { sampleCart } from './resource'

const LIST = '/api/admin/sample-carts'
const ONE = `${LIST}/{id}` as const
const at = (id: number) => ({ params: { path: { id } } })

export const sampleCartRef = reference(LIST, { label: sampleCart.title, search: 'name', sort: 'name' })

/** Operations on sample carts for the calculator, where they are created. */
export const sampleCartsApi = {
  one: (id: number) => $api.queryOptions('get', ONE, at(id)),
  create: (body: SampleCartInput): Promise<SampleCart> => change(data(client.POST(LIST, { body }))),
  update: (id: number, body: SampleCartInput): Promise<SampleCart> => change(data(client.PUT(ONE, { ...at(id), body }))),
}
