import { keepPreviousData, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useDebounced } from '~/lib/use-debounced'

/** What the server makes of an input while it is typed; the last answer stays until the next one is there. */
export function usePreview<B, R>(
  // biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
  ask: (body: B) => UseQueryOptions<any, any, R, any>,
  /** Null as long as there is nothing to ask about. */
  body: B | null,
) {
  // as text, because a form's values are another object with every keystroke
  const late = useDebounced(JSON.stringify(body), 300)
  return useQuery({ ...ask(JSON.parse(late) as B), enabled: late !== 'null', placeholderData: keepPreviousData })
}
