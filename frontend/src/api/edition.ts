import { queryOptions } from '@tanstack/react-query'

/** The script that a page starts with; its name changes with each version. */
const entryOf = (page: Document) => page.querySelector('script[type=module]')?.getAttribute('src') ?? null

/** The entry that the server has now, compared with the one that runs. */
export const editionOptions = () =>
  queryOptions({
    queryKey: ['edition'],
    async queryFn({ signal }): Promise<boolean> {
      const response = await globalThis.fetch(`${location.origin}/`, { signal, cache: 'no-store' })
      const newest = response.ok ? entryOf(new DOMParser().parseFromString(await response.text(), 'text/html')) : null
      return newest !== null && newest !== entryOf(document)
    },
    enabled: entryOf(document) !== null,
    initialData: false,
    staleTime: 60_000,
    refetchInterval: 10 * 60_000,
    retry: false,
    meta: { fixed: true },
  })
