import { queryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import type { ShippingNode } from '~/api/schema'

const NODES = '/api/admin/shipping-nodes'

/** All nodes with their legs, since a map needs more than one page. */
export const allNodes = () =>
  queryOptions({
    queryKey: ['get', NODES, 'all'],
    async queryFn({ signal }) {
      const rows: ShippingNode[] = []
      for (let page = 1; ; page++) {
        const query = { 'page[number]': page, 'page[size]': 200, sort: 'name' as const }
        const answer = await data(client.GET(NODES, { params: { query }, signal }))
        rows.push(...answer.data)
        if (page >= answer.meta.last_page) return rows
      }
    },
  })
