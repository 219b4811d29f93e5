import type { Query } from '@tanstack/react-query'
import { ApiError } from './errors'
import { queryClient } from './query'

/** What the server makes of an input is asked for with each input anew. */
const follows = ({ queryKey, meta }: Query) => queryKey[0] !== 'post' && !meta?.fixed

/** Whatever is shown is asked for again, and all else when it is shown next. */
export const refresh = (): Promise<void> => queryClient.invalidateQueries({ predicate: follows })

/** Waits until what was to be asked for again has come. */
export const refreshed = (): Promise<void> =>
  queryClient.refetchQueries({ type: 'active', stale: true, predicate: follows }, { cancelRefetch: false })

/**
 * A call that changes records, and the one place that says what is stale afterwards: everything, because records show each
 * other's names, counts and rights. A refusal may have been met by somebody else's change; that of an input was not.
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
