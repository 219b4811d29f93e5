import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useDebounced } from '~/lib/use-debounced'

/**
 * Requests a preview of an input while it is typed, debounced; the last answer stays until the next one
 * arrives.
 */
export function usePreview<B, R>(
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  queryFor: (body: B) => UseQueryOptions<any, any, R, any>,
  /** Request body; null as long as there is nothing to request. */
  body: B | null,
) {
  // compared as text, because a form's values are a new object with every keystroke
  const debouncedBody = useDebounced(JSON.stringify(body), 300)
  return useQuery({ ...queryFor(JSON.parse(debouncedBody) as B), enabled: debouncedBody !== 'null', placeholderData: keepPreviousData })
}
