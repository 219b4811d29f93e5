import type { Query } from '@tanstack/react-query'
import { ApiError } from './errors'
import { queryClient } from './query'

/**
 * True for queries that a change invalidates: not previews, which depend on their input, and not fixed data.
 */
const follows = ({ queryKey, meta }: Query) => queryKey[0] !== 'post' && !meta?.fixed

/** Invalidates cached queries: visible ones are refetched now, others when they are next shown. */
export const refresh = (): Promise<void> => queryClient.invalidateQueries({ predicate: follows })

/** Resolves when the refetch of visible queries has finished. */
export const refreshed = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', stale: true, predicate: follows }, { cancelRefetch: false })

/**
 * Wraps a call that changes records and invalidates all queries afterwards, because records show each
 * other's names, counts and permissions. It does so after errors too, which another person's change may have
 * caused; but not after validation errors.
 */
export async function change<T>(call: Promise<T>): Promise<T> {
  try {
    const answer = await call
    void refresh()
    return answer
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 422)) void refresh()
    throw error
  }
}
