import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query'
import { context } from './context'
import { ApiError } from './errors'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
    queryMeta: {
      /** Set for answers that no change of records affects. */
      fixed?: true
    }
  }
}

/**
 * Retries three times, after 1, 2 and 4 s. Not after client errors, whose answer would be the same, nor
 * after a timeout: its message then appears after 10 s instead of 50, with a button to retry.
 */
export function retry(failures: number, error: unknown): boolean {
  if (error instanceof ApiError && (error.kind === 'timeout' || (error.status >= 400 && error.status < 500))) return false
  return failures < 3
}

/** Backoff: 1 s, doubled each time, at most 30 s. */
export const backOff = (failures: number): number => Math.min(1000 * 2 ** failures, 30_000)

/**
 * Network mode: the browser's online state says nothing about the server, so calls fail instead of waiting
 * for it.
 */
const ALWAYS = 'always'

/** Hashes a query key together with the chosen tenant, on which answers of the admin area depend. */
function hashed(key: QueryKey): string {
  const tenant = typeof key[1] === 'string' && key[1].startsWith('/api/admin/') ? context.tenant() : null
  return tenant === null ? hashKey(key) : hashKey([tenant, ...key])
}

export function createAppQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // 2 s, so that the page does not refetch what its route's loader has just fetched
      queries: { queryKeyHashFn: hashed, networkMode: ALWAYS, retry, retryDelay: backOff, gcTime: 5 * 60_000, staleTime: 2000 },
      mutations: { networkMode: ALWAYS, retry: false },
    },
  })
}

export const queryClient = createAppQueryClient()
