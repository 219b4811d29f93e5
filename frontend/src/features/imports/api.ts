import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client, data } from '~/api/client'
import type { Import } from '~/api/schema'

const LIST = '/api/admin/imports'
const RUNNING = new Set<Import['status']>(['Queued', 'InProgress'])

export const isRunning = (row: Import): boolean => RUNNING.has(row.status)

/** What the bell asks is a poll and must not keep the session alive. */
const PASSIVE = { 'X-Passive': '1' }

export const bell = {
  /** A key of its own: an infinite list must not share a plain query's. */
  list: () =>
    infiniteQueryOptions({
      queryKey: ['bell', LIST],
      queryFn: ({ pageParam, signal }) =>
        data(
          client.GET(LIST, {
            params: { query: { 'page[number]': pageParam, 'page[size]': 10, sort: '-updated_at' } },
            headers: PASSIVE,
            signal,
          }),
        ),
      initialPageParam: 1,
      getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : null),
    }),
  unread: (since: string | null) =>
    queryOptions({
      queryKey: ['bell', LIST, 'unread', since],
      queryFn: async ({ signal }) => {
        const page = await data(
          client.GET(LIST, {
            params: { query: { 'page[size]': 1, ...(since && { 'filter[updated_at_greater_than]': [since] }) } },
            headers: PASSIVE,
            signal,
          }),
        )
        return page.meta.total
      },
    }),
}
