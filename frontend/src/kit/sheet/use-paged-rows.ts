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
type PageQuery<R> = UseQueryOptions<any, any, ListPage<R>, any> & { queryKey: any }

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
 * Rows of a list, loaded by page when they become visible. `pageQuery` builds the query of a page; a new
 * function means a new list.
 */
export function usePagedRows<R extends { id: number }>(pageQuery: (page: number) => PageQuery<R>): PagedRows<R> {
  const client = useQueryClient()
  const [visiblePages, setVisiblePages] = useState({ source: pageQuery, pages: [1] })
  // a new list starts at its first page
  const pages = visiblePages.source === pageQuery ? visiblePages.pages : [1]
  // triggers a render after a step has loaded pages
  const [loadCount, setLoadCount] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [first = 1, next = first] = pages
  const queries = [useQuery(pageQuery(first)), useQuery(pageQuery(next))]
  const firstData = queries.find(({ data }) => data)?.data
  const last = useLast(useMemo(() => firstData && { source: pageQuery, total: firstData.meta.total }, [firstData, pageQuery]))
  const total = last?.source === pageQuery ? last.total : undefined
  const state = queries.map(({ dataUpdatedAt }) => dataUpdatedAt).join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: recomputed when a page arrives
  const rows = useMemo((): SheetRows<R> => {
    const page = (number: number) => client.getQueryData<ListPage<R>>(pageQuery(number).queryKey)
    return {
      count: total ?? 0,
      key: ({ id }) => id,
      at: (index) => page(Math.floor(index / PAGE_SIZE) + 1)?.data[index % PAGE_SIZE],
      onVisible(top, bottom) {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setVisiblePages({ source: pageQuery, pages: pagesOf(top, bottom) }), SETTLE)
      },
      async load(top, bottom) {
        const missing = pagesOf(top, bottom).filter((number) => page(number) === undefined)
        for (let at = 0; at < missing.length; at += AT_ONCE) {
          await Promise.all(missing.slice(at, at + AT_ONCE).map((number) => client.fetchQuery(pageQuery(number))))
        }
        setLoadCount((count) => count + 1)
      },
    }
  }, [client, pageQuery, total, loadCount, state])

  function replace(changed: readonly R[]) {
    const byId = new Map(changed.map((row) => [row.id, row]))
    if (byId.size === 0) return
    for (const page of pagesOf(0, Math.max((total ?? 0) - 1, 0))) {
      client.setQueryData<ListPage<R>>(pageQuery(page).queryKey, (old) => {
        if (!old?.data.some(({ id }) => byId.has(id))) return undefined
        return { ...old, data: old.data.map((row) => byId.get(row.id) ?? row) }
      })
    }
    setLoadCount((count) => count + 1)
  }

  return {
    rows,
    replace,
    total,
    error: queries.find(({ error }) => error)?.error ?? null,
    fetching: queries.some(({ isFetching }) => isFetching),
    retry: () => {
      for (const { error, refetch } of queries) if (error) void refetch()
    },
  }
}
