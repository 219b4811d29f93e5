import { defineConfig } from '@playwright/test'

// what is broad runs by turns of days, and a run that goes on over midnight stays at its own
process.env.STALHOF_ROTATION ??= String(Math.floor(Date.now() / 86_400_000))

export default defineConfig({
  testDir: 'e2e',
  // each worker has a server with data of its own; with two of them two processors are idle for a quarter of the time
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  // one that passes then is printed as flaky at the end, and mended before anything else
  retries: process.env.CI ? 1 : 0,
  reporter: [['list']],
  use: {
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1440, height: 900 },
    // costs a third of the time
    trace: process.env.CI ? 'off' : 'retain-on-failure',
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
