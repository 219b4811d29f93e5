import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query'
import { context } from './context'
import { ApiError } from './errors'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
    queryMeta: {
      /** No change of records makes another answer of it. */
      fixed?: true
    }
  }
}

/**
 * Three more tries after 1, 2 and 4 s. None for an answer that will not change, nor after a time-out: its sentence
 * is shown after ten seconds instead of fifty, with a button that tries again.
 */
export function retry(failures: number, error: unknown): boolean {
  if (error instanceof ApiError && (error.kind === 'timeout' || (error.status >= 400 && error.status < 500))) return false
  return failures < 3
}

/** After 1 s, twice as long each time, at most half a minute. */
export const backOff = (failures: number): number => Math.min(1000 * 2 ** failures, 30_000)

/** Whether the browser believes to be online says nothing about the server: what cannot be had fails and says so, instead of waiting. */
const ALWAYS = 'always'

/** What the admin area answers is of the tenant that it was asked for: of another one it is another answer. */
function hashed(key: QueryKey): string {
  const tenant = typeof key[1] === 'string' && key[1].startsWith('/api/admin/') ? context.tenant() : null
  return tenant === null ? hashKey(key) : hashKey([tenant, ...key])
}

export function createAppQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // two seconds, so that what a route's loader fetched is not fetched again by its page
      queries: { queryKeyHashFn: hashed, networkMode: ALWAYS, retry, retryDelay: backOff, gcTime: 5 * 60_000, staleTime: 2000 },
      mutations: { networkMode: ALWAYS, retry: false },
    },
  })
}

export const queryClient = createAppQueryClient()
