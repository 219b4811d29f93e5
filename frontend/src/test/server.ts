import { type DefaultBodyType, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createDb, type Db } from '~/mocks/db'
import { createHandlers } from '~/mocks/handlers'
import { type Documented, http, type PathWith } from '~/mocks/server'

export const server = setupServer()
// few rows, because queries by role are slow in jsdom
const ROWS = 24
export let db: Db = createDb(ROWS)

/** Requests of the app so far, as "METHOD path?query". */
export const requests: string[] = []
server.events.on('request:start', ({ request }) => {
  const url = new URL(request.url)
  requests.push(`${request.method} ${url.pathname}${decodeURIComponent(url.search)}`)
})

export function resetServer(): void {
  db = createDb(ROWS)
  requests.length = 0
  server.resetHandlers(...createHandlers(db))
}

/** Promise for which a mocked answer waits, and the function that resolves it. */
export function deferredAnswer(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Mocks an operation with a fixed answer until the test ends. */
export const mockAnswer = <P extends PathWith<'post'>>(path: P, answer: Documented<P, 'post'> & DefaultBodyType): void =>
  server.use(http.post(path, () => HttpResponse.json(answer)))
