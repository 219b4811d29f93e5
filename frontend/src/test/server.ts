import { type DefaultBodyType, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createDb, type Db } from '~/mocks/db'
import { createHandlers } from '~/mocks/handlers'
import { type Answered, http, type PathWith } from '~/mocks/server'

export const server = setupServer()
// few rows: looking for roles in jsdom is slow
const ROWS = 24
export let db: Db = createDb(ROWS)

/** Everything the app asked for, as "METHOD path?query". */
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

/** What an answer waits for until the test opens it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Until the test ends the operation answers this, whatever it is asked. */
export const answering = <P extends PathWith<'post'>>(path: P, answer: Answered<P, 'post'> & DefaultBodyType): void =>
  server.use(http.post(path, () => HttpResponse.json(answer)))
