import { waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '~/api/query'
import type { Import } from '~/api/schema'
import { imports } from '~/features/exchange/imports/api'
import { db, requests, server } from '~/test/server'
import { listen } from './live'
import { bell, isLive, POLL, pollInterval } from './running'

/** Fake of the browser's Web Locks, which jsdom lacks: the first caller has the lock until it is done. */
function locks() {
  let last: Promise<unknown> = Promise.resolve()
  return {
    request(_: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) {
      const turn = last.then(() => (signal.aborted ? undefined : run()))
      last = turn.catch(() => {})
      return turn
    },
  }
}

const countStreams = () => requests.filter((request) => request.includes('/imports/events')).length
let stops: AbortController[] = []
let streams: ReadableStreamDefaultController<Uint8Array>[] = []

function tab() {
  const stop = new AbortController()
  stops.push(stop)
  listen(queryClient, '1.de', stop.signal)
  return stop
}

const say = (text: string) => streams.at(-1)?.enqueue(new TextEncoder().encode(text))
const changed = (row: Import) => `event: import\ndata: ${JSON.stringify(row)}\n\n`

beforeEach(() => {
  Object.defineProperty(navigator, 'locks', { value: locks(), configurable: true })
  server.use(
    http.get('*/api/admin/imports/events', () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller)
          controller.enqueue(new TextEncoder().encode(': listening\n\n'))
        },
      })
      return new HttpResponse(body, { headers: { 'content-type': 'text/event-stream' } })
    }),
  )
})

afterEach(() => {
  for (const stop of stops) stop.abort()
  stops = []
  streams = []
  Reflect.deleteProperty(navigator, 'locks')
  vi.useRealTimers()
})

it('opens one stream for all tabs, and another tab takes over when its tab is closed', async () => {
  const first = tab()
  tab()
  await waitFor(() => expect(isLive.get()).toBe(true))
  expect(countStreams()).toBe(1)
  expect(pollInterval()).toBe(false)
  first.abort()
  await waitFor(() => expect(countStreams()).toBe(2))
})

it('shows the progress of an import, and reloads lists when it ends', async () => {
  const row = { ...(db.imports[5] as Import), status: 'InProgress', rows_done: 1 } as Import
  const list = imports.list({ page: 1, size: 40, sort: null, filters: [], tenantId: null, view: null }).queryKey
  const page = { data: [row], meta: { current_page: 1, last_page: 1, per_page: 40, total: 1 } }
  queryClient.setQueryData(list, page as never)
  queryClient.setQueryData(bell.list().queryKey, { pages: [page], pageParams: [1] } as never)
  tab()
  await waitFor(() => expect(isLive.get()).toBe(true))
  // an event may arrive in several chunks
  const moved = changed({ ...row, rows_done: 500 })
  say(moved.slice(0, 30))
  say(moved.slice(30))
  const cachedRow = () => (queryClient.getQueryData(list) as unknown as typeof page).data[0]
  await waitFor(() => expect(cachedRow()?.rows_done).toBe(500))
  say(changed({ ...row, status: 'Success', rows_done: 900 }))
  await waitFor(() => expect(cachedRow()?.status).toBe('Success'))
  expect(queryClient.getQueryState(list)?.isInvalidated).toBe(true)
  say(changed({ ...row, rows_done: 700 }))
  say(':\n\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(cachedRow()?.status).toBe('Success')
})

it('reloads the records of an import that ended before it was seen running', async () => {
  const stocks = ['get', '/api/admin/stocks', {}]
  queryClient.setQueryData(stocks, { data: [] })
  tab()
  await waitFor(() => expect(isLive.get()).toBe(true))
  const row = { ...(db.imports[5] as Import), id: 9001, status: 'Success', dry_run: true } as Import
  say(changed(row))
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(queryClient.getQueryState(stocks)?.isInvalidated).toBe(false)
  say(changed({ ...row, id: 9002, dry_run: false }))
  await waitFor(() => expect(queryClient.getQueryState(stocks)?.isInvalidated).toBe(true))
})

it('polls every 30 seconds if the stream is unavailable or silent', async () => {
  expect(pollInterval()).toBe(POLL)
  tab()
  await waitFor(() => expect(isLive.get()).toBe(true))
  streams.at(-1)?.close()
  await waitFor(() => expect(isLive.get()).toBe(false))
  expect(pollInterval()).toBe(POLL)

  stops.at(-1)?.abort()
  Reflect.deleteProperty(navigator, 'locks')
  const before = countStreams()
  tab()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect([countStreams(), isLive.get()]).toEqual([before, false])
})
