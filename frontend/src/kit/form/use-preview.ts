import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useDebounced } from '~/lib/use-debounced'

/**
 * Requests a preview of an input while it is typed, debounced; the last answer stays until the next one
 * arrives.
 */
export function usePreview<B, R>(
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  ask: (body: B) => UseQueryOptions<any, any, R, any>,
  /** Request body; null as long as there is nothing to request. */
  body: B | null,
) {
  // compared as text, because a form's values are a new object with every keystroke
  const late = useDebounced(JSON.stringify(body), 300)
  return useQuery({ ...ask(JSON.parse(late) as B), enabled: late !== 'null', placeholderData: keepPreviousData })
}
