import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { $api, client, data } from '~/api/client'
import type { Import } from '~/api/schema'
import { signal } from '~/lib/signal'

export const IMPORTS_PATH = '/api/admin/imports'
export const IMPORT_PATH = '/api/admin/imports/{id}'

const RUNNING = new Set<Import['status']>(['Queued', 'InProgress'])
export const isRunning = (row: Import): boolean => RUNNING.has(row.status)

/**
 * Imports whose end is notified: those started here or seen running. An import may end before any of it is
 * displayed.
 */
export const awaitedImports = new Set<number>()

export const POLL = 30_000

/** True while the server pushes the progress of imports (./live), so that nothing needs to poll. */
export const isLive = signal(false)
/** Returns the polling interval while an import runs, or `false` while progress is pushed. */
export const pollInterval = (interval = POLL): number | false => (isLive.get() ? false : interval)

/** Header of requests that poll running imports and must not extend the session. */
export const PASSIVE = { 'X-Passive': '1' }

/** Queries for imports that every page needs; all others are loaded with the import pages. */
export const bell = {
  /** Uses a key of its own: an infinite query must not share the key of a plain one. */
  list: () =>
    infiniteQueryOptions({
      queryKey: ['bell', IMPORTS_PATH],
      queryFn: ({ pageParam, signal }) =>
        data(
          client.GET(IMPORTS_PATH, {
            params: { query: { 'page[number]': pageParam, 'page[size]': 10, sort: '-updated_at' } },
            headers: PASSIVE,
            signal,
          }),
        ),
      initialPageParam: 1,
      getNextPageParam: ({ meta }) => (meta.current_page < meta.last_page ? meta.current_page + 1 : null),
    }),
  /** Imports since the given day that are running or need attention. */
  open: (since: string) =>
    $api.queryOptions('get', IMPORTS_PATH, {
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
      queryKey: ['bell', IMPORTS_PATH, 'unread', since],
      queryFn: async ({ signal }) => {
        const page = await data(
          client.GET(IMPORTS_PATH, {
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

/**
 * Number of processed rows of the file; removals of records that it does not name come last and are not rows
 * of it.
 */
export const processedRows = ({ rows_done, rows_total }: Pick<Import, 'rows_done' | 'rows_total'>) =>
  Math.min(rows_done, rows_total ?? rows_done)
