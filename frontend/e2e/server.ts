import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, expect, type Page, type Request } from '@playwright/test'

const BINARY = process.env.STALHOF_BIN ?? join(import.meta.dirname, '../../target/debug/stalhof')
/** Address that is never opened. */
export const SHOP = 'https://shop.stalhof.example/'
export const PASSWORD = 'profil-traeger-walzwerk'
/** File with 29 rows, of which 12 are faulty on purpose. */
export const EXAMPLE_LIST = join(import.meta.dirname, '../../examples/lieferant-nord.csv')

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })

async function ready(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`)
    const response = await fetch(url).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the server did not get ready')
}

/** Test with the real binary and demo data of its own, started once per worker. */
export const test = base.extend<
  { problems: string[]; expectedStatuses: (number | string)[]; live: boolean },
  { data: string; app: string; environment: Record<string, string> }
>({
  /** Additional settings of the server. */
  environment: [{}, { option: true, scope: 'worker' }],
  data: [
    // biome-ignore lint/correctness/noEmptyPattern: the fixture needs no other fixture
    async ({}, use) => {
      const data = mkdtempSync(join(tmpdir(), 'stalhof-e2e-'))
      await use(data)
      rmSync(data, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ data, environment }, use) => {
      if (process.env.STALHOF_URL) return use(process.env.STALHOF_URL)
      const listen = `127.0.0.1:${await freePort()}`
      const server = spawn(BINARY, ['serve', '--demo'], {
        env: {
          RUST_LOG: 'warn',
          STALHOF_SHOP_URL: SHOP,
          STALHOF_DISK_RESERVE_MB: '0',
          STALHOF_FLAG_DEMO_PAGES: 'true',
          ...process.env,
          ...environment,
          STALHOF_DATA_DIR: data,
          STALHOF_LISTEN: listen,
        },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      try {
        await ready(`http://${listen}/readyz`, server)
        await use(`http://${listen}`)
      } finally {
        server.kill('SIGTERM')
      }
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  baseURL: ({ app }, use) => use(app),
  /** Error statuses that a test provokes on purpose, of any operation or of one: `409 POST /api/…`. */
  expectedStatuses: [[], { option: true }],
  /** True if pages subscribe to imports: a request that never ends, so that a page never comes to rest. */
  live: [false, { option: true }],
  // fails a test on any complaint of a page: console errors, exceptions, failed requests, violations of the
  // content security policy
  problems: [
    async ({ page, expectedStatuses, live }, use) => {
      const problems: string[] = []
      // without locks tabs cannot share one connection, and the application polls
      if (!live) await page.addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }))
      page.on('pageerror', (error) => problems.push(`exception: ${error.message}`))
      page.on('response', (response) => {
        const status = response.status()
        const operation = `${status} ${response.request().method()} ${new URL(response.url()).pathname}`
        if (status >= 400 && !expectedStatuses.includes(status) && !expectedStatuses.includes(operation))
          problems.push(`answer: ${operation}`)
      })
      page.on('console', (message) => {
        const text = message.text()
        // the browser's message about an answer that is checked above, and the trace, which reads the images
        // of a page
        const isExpected = text.startsWith('Failed to load resource') || /^Connecting to 'blob:|^policy: connect-src blob/.test(text)
        if (message.type() === 'error' && !isExpected) problems.push(`console: ${text}`)
      })
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => {
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`)
        })
      })
      await use(problems)
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

/** Creates an administrator with the binary; returns path and query of the invitation that it prints. */
export function invite(data: string, email: string, name: string): string {
  const printed = execFileSync(BINARY, ['create-admin', email, '--name', name], {
    env: { ...process.env, STALHOF_DATA_DIR: data },
    encoding: 'utf8',
  })
  const { pathname, search } = new URL(printed.split('\n')[0] ?? '')
  return pathname + search
}

const ADMIN = 'admin@stalhof.example'
const sessions = new Map<string, Promise<string>>()

/** Headers of a request that changes data. */
async function xsrf(page: Page): Promise<{ 'X-XSRF-TOKEN': string }> {
  await page.request.get('/api/config')
  const cookies = await page.context().cookies()
  return { 'X-XSRF-TOKEN': cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? '' }
}

async function session(page: Page, email: string): Promise<string> {
  const headers = await xsrf(page)
  const post = () => page.request.post('/api/sessions', { data: { email, password: PASSWORD }, headers })
  let answer = await post()
  // on a busy machine the server may give up to check the password
  for (let attempt = 0; answer.status() === 503 && attempt < 5; attempt++) {
    await page.waitForTimeout(2_000)
    answer = await post()
  }
  expect(answer.ok()).toBe(true)
  return (await answer.json()).session.token
}

/** Creates an administrator for one test, which may change the password. */
export async function createAdministrator(page: Page, data: string, email: string, name: string): Promise<void> {
  const token = new URL(invite(data, email, name), 'http://localhost').searchParams.get('token') ?? ''
  const answer = await page.request.put(`/api/verification/${token}`, { data: { password: PASSWORD }, headers: await xsrf(page) })
  expect(answer.ok()).toBe(true)
  await page.context().clearCookies()
}

/** Signs in from the first page on, with a session that all tests of an account share. */
export async function signIn(page: Page, email = ADMIN, language: 'de' | 'en' = 'de'): Promise<void> {
  const token = sessions.get(email) ?? session(page, email)
  sessions.set(email, token)
  await page.addInitScript(
    ([language, token]) => {
      if (sessionStorage.getItem('signed-in')) return
      sessionStorage.setItem('signed-in', 'once')
      localStorage.setItem('Language', language)
      localStorage.setItem('serviceToken', token)
    },
    [language, await token] as const,
  )
}

/** Tracks requests; returns a function that waits until there has been no request for 200 ms. */
export function trackRequests(page: Page): () => Promise<void> {
  const pending = new Set<Request>()
  let last = Date.now()
  const moved = (change: (request: Request) => void) => (request: Request) => {
    change(request)
    last = Date.now()
  }
  page.on(
    'request',
    moved((request) => pending.add(request)),
  )
  page.on(
    'requestfinished',
    moved((request) => pending.delete(request)),
  )
  page.on(
    'requestfailed',
    moved((request) => pending.delete(request)),
  )
  return async () => {
    last = Date.now()
    for (const end = Date.now() + 30_000; Date.now() < end; ) {
      if (pending.size === 0 && Date.now() - last >= 200) return
      await page.waitForTimeout(25)
    }
    const urls = [...pending].map((request) => request.url())
    throw new Error(`the page does not come to rest: ${urls.join(', ')}`)
  }
}

/** Opens another page like a link does: without reloading the application. */
export async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
}

/** Signs in with the form, in a session of its own. */
export async function signInByForm(page: Page, email = ADMIN): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('Language', 'de'))
  await page.goto('/login')
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.locator('form button[type=submit]').click()
  await page.waitForURL('**/home')
}

export { expect }
