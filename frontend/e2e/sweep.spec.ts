import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { addConnections, addressOf, PAGES } from './pages'
import { EVERYTHING, isDue } from './rotation'
import { EXAMPLE_LIST, expect, follow, invite, signIn, test, trackRequests } from './server'

test.describe.configure({ mode: 'parallel' })
// allows webhooks, which have secrets
test.use({ environment: { STALHOF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64') } })

/** Imports a file, so that the pages of imports have content. */
async function importOnce(page: Page): Promise<void> {
  await page.goto('/imports/new?tenantId=1')
  await page.locator('input[type=file]').setInputFiles(EXAMPLE_LIST)
  await page.locator('form button[type=submit]').click()
  await page.waitForURL(/\/imports\/\d+/)
  // the refused rows appear when the import ends
  await expect(page.getByRole('dialog').getByRole('table').first()).toBeVisible()
}

/** Inspects pages one after the other, without reloading the application. */
async function sweep(page: Page, pages: readonly string[]): Promise<void> {
  const rest = trackRequests(page)
  await page.goto('/home')
  for (const path of pages) {
    await test.step(path, async () => {
      const address = await addressOf(page, path)
      if (address === null) return
      await follow(page, address)
      await rest()
      await expect(page.locator('h1')).toHaveCount(1)
      await expect(page.locator('h1')).toBeVisible()
      // a page that failed has a heading, too
      await expect(page.locator('h1')).not.toHaveText(/konnte nicht angezeigt werden|could not be shown/)
      await inspect(page, rest)
    })
  }
}

// Each page runs in one combination of width, colours and language, chosen by the commit; with
// STALHOF_SWEEP=all in each of them.
const WIDTHS = [1440, 390] as const
const COLOURS = ['light', 'dark'] as const
const LANGUAGES = ['de', 'en'] as const
const COMBINATIONS = WIDTHS.flatMap((width) =>
  COLOURS.flatMap((colorScheme) => LANGUAGES.map((language) => ({ width, colorScheme, language }))),
)

for (const [turn, { width, colorScheme, language }] of COMBINATIONS.entries()) {
  const due = (number: number) => isDue(number, turn, COMBINATIONS.length)
  const pages = PAGES.filter((_, number) => due(number))
  test.describe(`${width} px, ${colorScheme}, ${language}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' } as object)

    if (due(0))
      test('login', async ({ page }) => {
        await page.addInitScript((lang) => localStorage.setItem('Language', lang), language)
        await page.goto('/login')
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
        await inspect(page)
      })

    if (due(1))
      test('forgotten password', async ({ page }) => {
        await page.addInitScript((lang) => localStorage.setItem('Language', lang), language)
        for (const path of ['/forgot-password', '/check-mail']) {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
          await inspect(page)
        }
        // a separate account for each, because a new link voids the previous one
        const email = {
          '1440 light': 'admin@stalhof',
          '1440 dark': 'shop@nordstahl',
          '390 light': 'niemand@nordstahl',
          '390 dark': 'mitarbeit@nordstahl',
        }[`${width} ${colorScheme}` as const].concat('.example')
        const mails = async () => {
          const { data } = await (await page.request.get('/api/demo/mails')).json()
          return data.filter(({ address }: { address: string }) => address === email).length
        }
        const before = await mails()
        await page.goto('/forgot-password')
        await page.locator('input[name=email]').fill(email)
        await page.keyboard.press('Enter')
        await page.waitForURL('**/check-mail')
        await expect(page.locator('form')).toHaveCount(0)
        await inspect(page)
        await expect.poll(mails).toBe(before + 1)
        await page.getByRole('button', { name: /Demo|demo/ }).click()
        const mail = page.getByRole('dialog').getByRole('listitem').filter({ hasText: email }).first()
        await expect(mail).toBeVisible()
        await inspect(page)
        await mail.getByRole('link').click()
        await page.locator('input[name=password]').fill('soenke2026')
        // the strength of the password is shown
        await expect(page.getByRole('status').filter({ hasText: ':' })).toBeVisible()
        await inspect(page)
      })

    if (due(2))
      test('verification', async ({ page, data, app }) => {
        test.skip(Boolean(process.env.STALHOF_URL), 'needs the data of the server')
        expect(app).toBeTruthy()
        await page.addInitScript((lang) => localStorage.setItem('Language', lang), language)
        await page.goto(invite(data, `${width}-${colorScheme}-${language}@stalhof.example`, 'Adele Neu'))
        await page.locator('input[name=password]').fill('adele2026')
        // the strength of the password is shown
        await expect(page.getByRole('status').filter({ hasText: ':' })).toBeVisible()
        await inspect(page)
      })

    test.describe(() => {
      test.use({ expectedStatuses: [404] })
      if (due(3))
        test('invalid links', async ({ page }) => {
          await page.addInitScript((lang) => localStorage.setItem('Language', lang), language)
          for (const path of ['/verification?token=lnk_used', '/password-reset?id=x#lnk_used', '/email-undo?id=x#lnk_used']) {
            await page.goto(path)
            await expect(page.locator('h1')).toHaveCount(1)
            await inspect(page)
          }
        })
    })

    test('pages', async ({ page }) => {
      test.setTimeout(EVERYTHING ? 1_800_000 : 300_000)
      await signIn(page, undefined, language)
      // also gives the bell a notification to show
      if (pages.includes('/imports/:id') || due(5)) await importOnce(page)
      if (pages.some((path) => /^\/(external-apis|webhooks|feeds)/.test(path))) {
        await page.goto('/home')
        await addConnections(page)
      }
      if (due(4))
        await test.step('palette', async () => {
          await page.goto('/home')
          await expect(page.locator('h1')).toHaveCount(1)
          await page.keyboard.press('Control+k')
          await inspect(page)
          await page.getByRole('combobox').last().fill('heb 200')
          await expect(page.getByRole('option', { name: /^HEB-200/ }).first()).toBeVisible()
          await inspect(page)
        })
      if (due(5))
        await test.step('bell', async () => {
          await page.goto('/home')
          await page.getByRole('button', { name: language === 'de' ? /^Importe, \d/ : /^Imports, \d/ }).click()
          await inspect(page)
          await page.keyboard.press('Escape')
        })
      // in one combination each address is opened directly, as by a link in a mail
      if (!due(6)) return sweep(page, pages)
      const rest = trackRequests(page)
      await page.goto('/home')
      for (const path of pages) {
        await test.step(path, async () => {
          const address = await addressOf(page, path)
          if (address === null) return
          await page.goto(address)
          await rest()
          await expect(page.locator('h1').first()).toBeVisible()
          await expect(page.locator('h1')).toHaveCount(1)
          await inspect(page, rest)
        })
      }
    })
  })
}

// all other users in rotation: their pages, and the refusals of others
const CLOSED = ['/home', '/articles/1', '/profile', '/nowhere']
const OTHERS = [
  ['leitung@nordstahl.example', 390, 'light', 'de', PAGES],
  ['mitarbeit@nordstahl.example', 1440, 'dark', 'en', PAGES],
  ['leitung@suedrohr.example', 1440, 'light', 'de', PAGES],
  ['shop@nordstahl.example', 390, 'dark', 'en', CLOSED],
  ['niemand@nordstahl.example', 390, 'light', 'de', CLOSED],
] as const

const SEEING = OTHERS.filter(([, , , , pages]) => pages === PAGES)

for (const person of OTHERS) {
  const [email, width, colorScheme, language, pages] = person
  // users with few pages are always inspected
  if (pages === PAGES && !isDue(SEEING.indexOf(person), 0, SEEING.length)) continue
  test.describe(email, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce', expectedStatuses: [403, 404] } as object)
    test('pages', async ({ page }) => {
      test.setTimeout(EVERYTHING ? 1_800_000 : 480_000)
      await signIn(page, email, language)
      // half of the pages; the other half in this user's next turn
      await sweep(
        page,
        pages.filter((_, number) => pages !== PAGES || isDue(number, 0, 2)),
      )
    })
  })
}
