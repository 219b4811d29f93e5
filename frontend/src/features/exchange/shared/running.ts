import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { $api, client, data } from '~/api/client'
import type { Import } from '~/api/schema'
import { signal } from '~/lib/signal'

export const LIST = '/api/admin/imports'
export const ONE = '/api/admin/imports/{id}'

const RUNNING = new Set<Import['status']>(['Queued', 'InProgress'])
export const isRunning = (row: Import): boolean => RUNNING.has(row.status)

/** Those whose end is to be told: they were begun here, or seen running. One may end before anything of it is drawn. */
export const awaited = new Set<number>()

export const POLL = 30_000

/** Whether the server tells of imports as they move (./live), so that nobody asks. */
export const live = signal(false)
/** How often one asks while something runs. */
export const asking = (every = POLL): number | false => (live.get() ? false : every)

/** Imports are looked at while they run; looking must not keep the session alive. */
export const PASSIVE = { 'X-Passive': '1' }

/** What every page asks about imports; all else is loaded with their own pages. */
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
  /** What runs and what somebody has to look after, since that day. */
  open: (since: string) =>
    $api.queryOptions('get', LIST, {
      params: {
        query: {
          'page[size]': 5,
          sort: '-updated_at',
          filter: {
            'filter[dry_run]': false,
            'filter[status]': ['Queued', 'InProgress', 'Failed', 'PartialSuccess'],
            'filter[updated_at_greater_than]': since,
          },
        },
      },
      headers: PASSIVE,
    }),
  unread: (since: string | null) =>
    queryOptions({
      queryKey: ['bell', LIST, 'unread', since],
      queryFn: async ({ signal }) => {
        const page = await data(
          client.GET(LIST, {
            params: {
              query: {
                'page[size]': 1,
                filter: { 'filter[dry_run]': false, ...(since && { 'filter[updated_at_greater_than]': since }) },
              },
            },
            headers: PASSIVE,
            signal,
          }),
        )
        return page.meta.total
      },
    }),
}

/** The rows that are done; what goes because the file does not name it comes last, and is none of its rows. */
export const doneOf = ({ rows_done, rows_total }: Pick<Import, 'rows_done' | 'rows_total'>) => Math.min(rows_done, rows_total ?? rows_done)
