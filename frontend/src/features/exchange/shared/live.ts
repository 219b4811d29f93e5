import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { refresh } from '~/api/change'
import { context } from '~/api/context'
import { events } from '~/api/events'
import { backOff } from '~/api/query'
import type { Import, Meta } from '~/api/schema'
import { bell, isRunning, LIST, live, ONE, PASSIVE } from './running'

/** Three heartbeats of the server: who is silent for longer is not there. */
const SILENT = 45_000

/** What the tab that listens tells all tabs: that it hears something, and what. */
type Heard = { is: 'begun' | 'alive' | 'over' } | { is: 'changed'; row: Import }
type Page = { data: Import[]; meta: Meta }

/** The end is not taken back by what was on its way before. */
const newer = (old: Import, row: Import) => (isRunning(row) && !isRunning(old) ? old : row)

/** All that is known of imports is asked for again. */
export const askAgain = (queries: QueryClient) =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [, path] }) => path === LIST || path === ONE })

/** Shows an import as it is now; lists are asked for again where it has begun, ended or come. */
export function show(queries: QueryClient, row: Import): void {
  const tenant = context.tenant()
  if (tenant !== null && tenant !== row.tenant.id) return
  const known = queries.getQueryData(bell.list().queryKey)?.pages.flatMap(({ data }) => data)
  const before = known?.find(({ id }) => id === row.id)
  const within = <P extends Page>(page: P): P => ({ ...page, data: page.data.map((one) => (one.id === row.id ? newer(one, row) : one)) })
  queries.setQueriesData<Page>({ queryKey: ['get', LIST] }, (page) => page && within(page))
  queries.setQueryData<InfiniteData<Page>>(bell.list().queryKey, (all) => all && { ...all, pages: all.pages.map(within) })
  queries.setQueriesData<Import>({ queryKey: ['get', ONE] }, (one) => (one?.id === row.id ? newer(one, row) : one))
  if (before?.status !== row.status) askAgain(queries)
  // it ended before this tab saw it run: its records are in other lists, too
  if (!before && !isRunning(row) && !row.dry_run) void refresh()
}

/**
 * Listens for as long as the signal allows: of all tabs of a browser one, because a connection is rare, and the next one when it is
 * closed. Where a browser cannot, nothing is live and one asks.
 */
export function listen(queries: QueryClient, reader: string, signal: AbortSignal): void {
  if (!navigator.locks || signal.aborted) return
  const name = `imports-${reader}`
  const channel = new BroadcastChannel(name)
  let silence: ReturnType<typeof setTimeout> | undefined

  function over(): void {
    if (!live.get()) return
    live.set(false)
    askAgain(queries)
  }

  function hear(heard: Heard): void {
    clearTimeout(silence)
    if (heard.is === 'over') over()
    else {
      silence = setTimeout(over, SILENT)
      live.set(true)
      if (heard.is === 'begun') askAgain(queries)
      if (heard.is === 'changed') show(queries, heard.row)
    }
  }

  channel.onmessage = ({ data }: MessageEvent<Heard>) => hear(data)
  signal.addEventListener('abort', () => {
    channel.close()
    clearTimeout(silence)
    live.set(false)
  })
  const tell = (heard: Heard) => {
    if (signal.aborted) return
    channel.postMessage(heard)
    hear(heard)
  }
  // another tab's turn ends with it, this one's with the signal
  navigator.locks.request(name, { signal }, () => lead(tell, signal)).catch(() => {})
}

async function lead(tell: (heard: Heard) => void, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const began = Date.now()
    // why it cannot be had is told by what asks instead
    await stream(tell, signal).catch(() => {})
    tell({ is: 'over' })
    if (Date.now() - began > SILENT) failures = 0
    await pause(backOff(failures), signal)
  }
}

async function stream(tell: (heard: Heard) => void, signal: AbortSignal): Promise<void> {
  let begun = false
  for await (const messages of events(`${LIST}/events`, PASSIVE, signal)) {
    tell({ is: begun ? 'alive' : 'begun' })
    begun = true
    for (const { event, data } of messages) if (event === 'import') tell({ is: 'changed', row: JSON.parse(data) })
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
