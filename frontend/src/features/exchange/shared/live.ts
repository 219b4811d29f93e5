import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { refresh } from '~/api/change'
import { context } from '~/api/context'
import { events } from '~/api/events'
import { backOff } from '~/api/query'
import type { Import, Meta } from '~/api/schema'
import { bell, IMPORT_PATH, IMPORTS_PATH, isLive, isRunning, PASSIVE } from './running'

/** Three heartbeats of the server in milliseconds; after a longer silence the connection counts as lost. */
const SILENT = 45_000

/** Message from the listening tab to all tabs: state of its connection, or a changed import. */
type LiveMessage = { is: 'begun' | 'alive' | 'over' } | { is: 'changed'; row: Import }
type Page = { data: Import[]; meta: Meta }

/** Picks the newer state of an import: an ended one is not replaced by a running one that arrives late. */
const newerRow = (old: Import, row: Import) => (isRunning(row) && !isRunning(old) ? old : row)

/** Refetches all queries of imports. */
export const askAgain = (queries: QueryClient) =>
  void queries.invalidateQueries({ predicate: ({ queryKey: [, path] }) => path === IMPORTS_PATH || path === IMPORT_PATH })

/** Updates an import in the cache; lists are refetched if it is new, has started or has ended. */
export function updateCachedImport(queries: QueryClient, row: Import): void {
  const tenant = context.tenant()
  if (tenant !== null && tenant !== row.tenant.id) return
  const bellRows = queries.getQueryData(bell.list().queryKey)?.pages.flatMap(({ data }) => data)
  const before = bellRows?.find(({ id }) => id === row.id)
  const replaceRow = <P extends Page>(page: P): P => ({
    ...page,
    data: page.data.map((cached) => (cached.id === row.id ? newerRow(cached, row) : cached)),
  })
  queries.setQueriesData<Page>({ queryKey: ['get', IMPORTS_PATH] }, (page) => page && replaceRow(page))
  queries.setQueryData<InfiniteData<Page>>(bell.list().queryKey, (all) => all && { ...all, pages: all.pages.map(replaceRow) })
  queries.setQueriesData<Import>({ queryKey: ['get', IMPORT_PATH] }, (cached) => (cached?.id === row.id ? newerRow(cached, row) : cached))
  if (before?.status !== row.status) askAgain(queries)
  // it ended before this tab saw it run: lists of its records have changed too
  if (!before && !isRunning(row) && !row.dry_run) void refresh()
}

/**
 * Listens to import events until the signal aborts. Connections are limited, so only one tab of a browser
 * listens; when it closes, another takes over. Without support in the browser, nothing is live and the
 * queries poll.
 */
export function listen(queries: QueryClient, reader: string, signal: AbortSignal): void {
  if (!navigator.locks || signal.aborted) return
  const name = `imports-${reader}`
  const channel = new BroadcastChannel(name)
  let silenceTimer: ReturnType<typeof setTimeout> | undefined

  function endConnection(): void {
    if (!isLive.get()) return
    isLive.set(false)
    askAgain(queries)
  }

  function receive(message: LiveMessage): void {
    clearTimeout(silenceTimer)
    if (message.is === 'over') endConnection()
    else {
      silenceTimer = setTimeout(endConnection, SILENT)
      isLive.set(true)
      if (message.is === 'begun') askAgain(queries)
      if (message.is === 'changed') updateCachedImport(queries, message.row)
    }
  }

  channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => receive(data)
  signal.addEventListener('abort', () => {
    channel.close()
    clearTimeout(silenceTimer)
    isLive.set(false)
  })
  const broadcast = (message: LiveMessage) => {
    if (signal.aborted) return
    channel.postMessage(message)
    receive(message)
  }
  // another tab's lock ends with that tab, this one's with the signal
  navigator.locks.request(name, { signal }, () => runAsLeader(broadcast, signal)).catch(() => {})
}

async function runAsLeader(broadcast: (message: LiveMessage) => void, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures++) {
    const startedAt = Date.now()
    // the error is reported by the polling that takes over
    await stream(broadcast, signal).catch(() => {})
    broadcast({ is: 'over' })
    if (Date.now() - startedAt > SILENT) failures = 0
    await pause(backOff(failures), signal)
  }
}

async function stream(broadcast: (message: LiveMessage) => void, signal: AbortSignal): Promise<void> {
  let hasStarted = false
  for await (const messages of events(`${IMPORTS_PATH}/events`, PASSIVE, signal)) {
    broadcast({ is: hasStarted ? 'alive' : 'begun' })
    hasStarted = true
    for (const { event, data } of messages) if (event === 'import') broadcast({ is: 'changed', row: JSON.parse(data) })
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
