import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { ApiError } from '~/api/errors'
import type { ListPage } from '~/kit/table/table-parts'
import { useLast } from '~/lib/use-last'
import type { SheetRows } from './cells'

/** Maximum page size of the API. No screen shows more rows, so visible rows are on two pages at most. */
export const PAGE_SIZE = 200
/** Number of parallel calls while a step loads its rows. */
const AT_ONCE = 4
/** Delay in milliseconds, so that pages scrolled past are not requested. */
const SETTLE = 80

// biome-ignore lint/suspicious/noExplicitAny: query options carry the key's own type
type Ask<R> = UseQueryOptions<any, any, ListPage<R>, any> & { queryKey: any }

export interface PagedRows<R> {
  rows: SheetRows<R>
  /** Number of rows; undefined until the first page is loaded. */
  total: number | undefined
  error: ApiError | null
  fetching: boolean
  retry: () => void
  /** Replaces cached rows by those that a call returned. */
  replace: (rows: readonly R[]) => void
}

const pagesOf = (first: number, last: number) => {
  const [from, to] = [Math.floor(first / PAGE_SIZE), Math.floor(last / PAGE_SIZE)]
  return Array.from({ length: to - from + 1 }, (_, at) => from + at + 1)
}

/**
 * Rows of a list, loaded by page when they become visible. `ask` builds the query of a page; a new function
 * means a new list.
 */
export function usePagedRows<R extends { id: number }>(ask: (page: number) => Ask<R>): PagedRows<R> {
  const client = useQueryClient()
  const [seen, setSeen] = useState({ of: ask, pages: [1] })
  // a new list starts at its first page
  const pages = seen.of === ask ? seen.pages : [1]
  // triggers a render after a step has loaded pages
  const [loads, setLoads] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [first = 1, next = first] = pages
  const shown = [useQuery(ask(first)), useQuery(ask(next))]
  const found = shown.find(({ data }) => data)?.data
  const last = useLast(useMemo(() => found && { of: ask, total: found.meta.total }, [found, ask]))
  const total = last?.of === ask ? last.total : undefined
  const state = shown.map(({ dataUpdatedAt }) => dataUpdatedAt).join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed when a page arrives
  const rows = useMemo((): SheetRows<R> => {
    const page = (number: number) => client.getQueryData<ListPage<R>>(ask(number).queryKey)
    return {
      count: total ?? 0,
      key: ({ id }) => id,
      at: (index) => page(Math.floor(index / PAGE_SIZE) + 1)?.data[index % PAGE_SIZE],
      onVisible(top, bottom) {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setSeen({ of: ask, pages: pagesOf(top, bottom) }), SETTLE)
      },
      async load(top, bottom) {
        const missing = pagesOf(top, bottom).filter((number) => page(number) === undefined)
        for (let at = 0; at < missing.length; at += AT_ONCE) {
          await Promise.all(missing.slice(at, at + AT_ONCE).map((number) => client.fetchQuery(ask(number))))
        }
        setLoads((count) => count + 1)
      },
    }
  }, [client, ask, total, loads, state])

  function replace(changed: readonly R[]) {
    const byId = new Map(changed.map((row) => [row.id, row]))
    if (byId.size === 0) return
    for (const page of pagesOf(0, Math.max((total ?? 0) - 1, 0))) {
      client.setQueryData<ListPage<R>>(ask(page).queryKey, (old) => {
        if (!old?.data.some(({ id }) => byId.has(id))) return undefined
        return { ...old, data: old.data.map((row) => byId.get(row.id) ?? row) }
      })
    }
    setLoads((count) => count + 1)
  }

  return {
    rows,
    replace,
    total,
    error: shown.find(({ error }) => error)?.error ?? null,
    fetching: shown.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { error, refetch } of shown) if (error) void refetch()
    },
  }
}
