import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// tests compute days as the server does
process.env.TZ = 'Europe/Berlin'
// the commit chooses which of the rotating tests run
process.env.STALHOF_ROTATION ??= execFileSync(join(import.meta.dirname, '../scripts/rotation'), { encoding: 'utf8' }).trim()

export default defineConfig({
  testDir: 'e2e',
  // each worker has a server with data of its own; with two workers, two processors would be idle a quarter
  // of the time
  workers: 3,
  // the slowest test without `slow` takes 40 seconds, and its retry also starts a server and records a trace
  timeout: 150_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // a test that passes on retry is listed as flaky at the end, and must be fixed before anything else
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  use: {
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1440, height: 900 },
    // a trace costs a third of the time: in CI only the retry records one
    trace: process.env.CI ? 'on-first-retry' : 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.STALHOF_CHROMIUM ?? '/usr/bin/chromium',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
