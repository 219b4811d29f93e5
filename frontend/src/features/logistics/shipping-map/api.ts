import { queryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import type { ShippingFinding, ShippingNode } from '~/features/logistics/shared/shipping-wire'

const NODES = '/api/admin/shipping-nodes'

type Page = { data: ShippingNode[]; meta: { last_page: number } }
// until the contract has them
const get = client.GET as unknown as (path: string, init: object) => Promise<{ data?: unknown }>

/** Every node with its legs: a map cannot be made of one page. */
export const allNodes = () =>
  queryOptions({
    queryKey: ['get', NODES, 'all'],
    async queryFn({ signal }) {
      const rows: ShippingNode[] = []
      for (let page = 1; ; page++) {
        const query = { 'page[number]': page, 'page[size]': 200, sort: 'name' }
        const answer = (await data(get(NODES, { params: { query }, signal }))) as Page
        rows.push(...answer.data)
        if (page >= answer.meta.last_page) return rows
      }
    },
  })

/** What the network check has found. */
export const findings = () =>
  queryOptions({
    queryKey: ['get', '/api/admin/shipping/findings'],
    queryFn: async ({ signal }) => (await data(get('/api/admin/shipping/findings', { signal }))) as ShippingFinding[],
  })
