import { http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createDb } from './db'
import { createHandlers } from './handlers'
import { problem } from './server'

/** Enough for a second page of each list. */
const ROWS = 40

/** An operation that the mock server lacks is refused by name. */
const missing = http.all('/api/*', ({ request }) => {
  const { pathname } = new URL(request.url)
  return problem(404, 'not_found', `The mock server has no ${request.method} ${pathname}.`)
})

// the entry of `npm run dev:mock`: the tests' mock server answers in the browser, and the application starts behind it
const worker = setupWorker(...createHandlers(createDb(ROWS)), missing)
await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
await import('~/main')
