import { queryOptions } from '@tanstack/react-query'

/** Returns the entry script of a page; its name changes with each version. */
const entryScript = (page: Document) => page.querySelector('script[type=module]')?.getAttribute('src') ?? null

/** Query that returns true if the server has another entry script than the running one. */
export const newVersionOptions = () =>
  queryOptions({
    queryKey: ['edition'],
    async queryFn({ signal }): Promise<boolean> {
      const response = await globalThis.fetch(`${location.origin}/`, { signal, cache: 'no-store' })
      const newest = response.ok ? entryScript(new DOMParser().parseFromString(await response.text(), 'text/html')) : null
      return newest !== null && newest !== entryScript(document)
    },
    enabled: entryScript(document) !== null,
    initialData: false,
    staleTime: 60_000,
    refetchInterval: 10 * 60_000,
    retry: false,
    meta: { fixed: true },
  })
