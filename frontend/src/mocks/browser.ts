import { http } from 'msw'
import { setupWorker } from 'msw/browser'
import { createDb } from './db'
import { createHandlers } from './handlers'
import { problem } from './server'

/** Number of rows; enough for a second page of each list. */
const ROWS = 40

/** Refuses operations that the mock server does not have, by their name. */
const missing = http.all('/api/*', ({ request }) => {
  const { pathname } = new URL(request.url)
  return problem(404, 'not_found', `The mock server has no ${request.method} ${pathname}.`)
})

// entry of `npm run dev:mock`: starts the tests' mock server in the browser, then the application
const worker = setupWorker(...createHandlers(createDb(ROWS)), missing)
await worker.start({ quiet: true, onUnhandledFrame: 'bypass' })
await import('~/main')
