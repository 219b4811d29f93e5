import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { usePagedRows } from './use-paged-rows'

const onFetch = vi.fn()
let client: QueryClient
const list = (name: string) => (page: number) => ({
  queryKey: [name, page],
  queryFn: async () => {
    onFetch(page)
    const data = Array.from({ length: page === 4 ? 100 : 200 }, (_, at) => ({ id: (page - 1) * 200 + at + 1 }))
    return { data, meta: { total: 700, current_page: page, last_page: 4, per_page: 200 } }
  },
})
const stocks = list('stocks')
const others = list('others')

function open() {
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  return renderHook(({ pageQuery }) => usePagedRows(pageQuery), { wrapper, initialProps: { pageQuery: stocks } }).result
}

beforeEach(() => {
  onFetch.mockClear()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } })
})

it('requests the visible pages', async () => {
  const result = open()
  await waitFor(() => expect(result.current.rows.count).toBe(700))
  expect([result.current.rows.at(0), result.current.rows.at(199), result.current.rows.at(200)]).toEqual([{ id: 1 }, { id: 200 }, undefined])
  act(() => result.current.rows.onVisible?.(220, 250))
  await new Promise((done) => setTimeout(done, 40))
  act(() => result.current.rows.onVisible?.(590, 610))
  await waitFor(() => expect(result.current.rows.at(610)).toEqual({ id: 611 }))
  // the second page was only scrolled past
  expect(onFetch.mock.calls.flat()).toEqual([1, 3, 4])
  expect(result.current.rows.at(0)).toEqual({ id: 1 })
})

it('loads the rows of a step, each page once', async () => {
  const result = open()
  await waitFor(() => expect(result.current.rows.count).toBe(700))
  await act(async () => result.current.rows.load?.(50, 699))
  expect(result.current.rows.at(699)).toEqual({ id: 700 })
  expect(onFetch.mock.calls.flat()).toEqual([1, 2, 3, 4])
})

it('shows replaced rows', async () => {
  const result = open()
  await waitFor(() => expect(result.current.rows.count).toBe(700))
  act(() => result.current.replace([{ id: 5, name: 'new' } as { id: number }]))
  expect([result.current.rows.at(3), result.current.rows.at(4)]).toEqual([{ id: 4 }, { id: 5, name: 'new' }])
  expect(onFetch.mock.calls.flat()).toEqual([1])
})

it('fails if rows cannot be loaded', async () => {
  const result = open()
  await waitFor(() => expect(result.current.rows.count).toBe(700))
  onFetch.mockImplementationOnce(() => {
    throw new Error('away')
  })
  await expect(act(async () => result.current.rows.load?.(200, 399))).rejects.toThrow('away')
})

it('starts again with another list', async () => {
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>
  const { result, rerender } = renderHook(({ pageQuery }) => usePagedRows(pageQuery), { wrapper, initialProps: { pageQuery: stocks } })
  await waitFor(() => expect(result.current.total).toBe(700))
  rerender({ pageQuery: others })
  expect([result.current.total, result.current.rows.count]).toEqual([undefined, 0])
  await waitFor(() => expect(result.current.total).toBe(700))
})
