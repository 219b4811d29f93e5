import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { inspect } from './axe'
import { type Erp, startErp } from './erp'
import { expect, signIn, test } from './server'

// allows stored tokens, and connections to this machine
test.use({ environment: { STALHOF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'), STALHOF_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
test.skip(Boolean(process.env.STALHOF_URL), 'needs a server that may connect to this machine')

/** Number of successive failures after which calls to a system are paused. */
const FAILURES = 5

let erp: Erp | null = null
test.beforeAll(async () => {
  erp = await startErp()
})
test.afterAll(() => erp?.unplug())

interface Texts {
  [key: string]: string & Texts
}
const textsOf = (language: 'de' | 'en', ns: string): Texts =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../src/i18n/${language}/${ns}.json`), 'utf8'))

const TITLES = { de: 'Metadaten externer APIs', en: 'External API metadata' }

/** Selects the value of a name in the answer by keyboard. */
async function pointAt(part: Locator, field: string, name: string) {
  await part.getByRole('combobox').first().selectOption({ label: field })
  await part.getByRole('treeitem', { name: new RegExp(`^${name} `) }).press('Enter')
}

for (const [language, user] of [
  ['de', 'leitung@nordstahl.example'],
  ['en', 'leitung@suedrohr.example'],
] as const) {
  test(`the ERP is connected, called, disconnected and reconnected: ${language}`, async ({ page }) => {
    test.skip(erp === null, 'OpenSSL is not installed')
    if (!erp) return
    const system = erp
    test.slow()
    const [api, stocks, imports, common] = ['externalApis', 'stocks', 'imports', 'common'].map((ns) => textsOf(language, ns)) as [
      Texts,
      Texts,
      Texts,
      Texts,
    ]
    const number = language === 'de' ? '12,5' : '12.5'
    system.articles = [{ no: `ERP-${language}-1`, text: 'HEB 200 S235JR 12,1 m' }]
    await signIn(page, user, language)
    const save = () => page.getByRole('button', { name: common.actions?.save ?? '' }).first()

    await test.step('it is connected by selecting values in its answer', async () => {
      await page.goto('/external-apis')
      await page.getByRole('button', { name: api.actions?.new ?? '' }).press('Enter')
      await page.getByLabel(api.fields?.base_url ?? '').fill(system.url)
      await page.getByLabel(api.enums?.secret?.bearer ?? '', { exact: true }).fill(system.token)
      await page.getByLabel(api.fields?.cache_seconds ?? '').fill('0')
      await page.getByLabel(api.fields?.ca_certificate ?? '').fill(system.authority)
      await page.getByRole('tab', { name: api.tabs?.availability ?? '' }).press('Enter')
      const part = page.getByRole('region', { name: api.endpoints?.availability?.title ?? '', exact: true })
      await part.getByRole('checkbox', { name: api.fields?.enabled ?? '' }).press('Space')
      await part.getByLabel(api.fields?.path ?? '').fill('stock/{article_number}/{warehouse}')
      const panel = part.getByRole('region', { name: new RegExp(`: ${api.endpoints?.availability?.title}$`) })
      await panel.getByLabel(api.test?.article ?? '').fill('HEB-200')
      await panel.getByLabel(api.test?.warehouse ?? '').fill('L1')
      await panel.getByLabel(api.test?.article ?? '').press('Enter')
      await expect(panel.getByRole('tree')).toBeVisible()
      await pointAt(panel, api.fields?.quantity ?? '', 'free')
      await pointAt(panel, api.fields?.warehouse ?? '', 'site')
      // the lines appear immediately, and another test reads the same
      await expect(panel.getByText(`L1 · 12.5`)).toBeVisible()
      await panel.getByRole('button', { name: api.actions?.test ?? '' }).press('Enter')
      await expect(panel.getByText(`L1 · ${number}`, { exact: true })).toBeVisible()
      await inspect(page)
    })
    await test.step('so is its list of articles', async () => {
      await page.getByRole('tab', { name: api.tabs?.metaData ?? '' }).press('Enter')
      const part = page.getByRole('region', { name: api.endpoints?.articles?.title ?? '', exact: true })
      await part.getByRole('checkbox', { name: api.fields?.enabled ?? '' }).press('Space')
      await part.getByLabel(api.fields?.path ?? '').fill('articles')
      const panel = part.getByRole('region', { name: new RegExp(`: ${api.endpoints?.articles?.title}$`) })
      await panel.getByRole('button', { name: api.actions?.test ?? '' }).press('Enter')
      await expect(panel.getByRole('tree')).toBeVisible()
      await pointAt(panel, api.fields?.number ?? '', 'no')
      await pointAt(panel, api.fields?.name ?? '', 'text')
      await expect(part.getByText(`ERP-${language}-1 · HEB 200`)).toBeVisible()
      await save().press('Enter')
      await expect(page.getByRole('region', { name: api.state?.title ?? '' })).toBeVisible()
      await inspect(page)
    })

    const live = page.getByRole('region', { name: stocks.live?.title ?? '' })
    const again = live.getByRole('button', { name: stocks.live?.again ?? '' })
    let record = ''
    await test.step('the quantity of a stock is requested live', async () => {
      await page.goto('/stocks?f.availability_type=quantity')
      await page.locator('[data-row-link]').first().press('Enter')
      await page.waitForURL(/\/stocks\/\d+/)
      record = new URL(page.url()).pathname
      const form = page.getByRole('dialog')
      await form.getByLabel(stocks.fields?.availability_type ?? '').selectOption('external-api')
      await form.getByRole('button', { name: common.actions?.save ?? '' }).press('Enter')
      await expect(form).toBeHidden()
      await page.goto(record)
      await expect(live.getByText(stocks.live?.by?.live ?? '', { exact: true })).toBeVisible()
      await expect(live.getByText(number)).toBeVisible()
      await inspect(page)
    })
    await test.step('while it is disconnected, the last quantity and the reason are shown', async () => {
      await system.unplug()
      for (let failures = 1; failures <= FAILURES; failures++) {
        await again.press('Enter')
        await expect(again).toHaveAttribute('aria-busy', 'false')
      }
      await expect(live.getByText(stocks.live?.by?.last_known ?? '')).toBeVisible()
      await expect(live.getByText(number)).toBeVisible()
      await inspect(page)
      await page.goto('/stocks?f.availability_type=external-api')
      await expect(page.getByRole('row').filter({ hasText: number })).toContainText(stocks.live?.lastKnownAgo?.replace(/ .*/, '') ?? '')
      await inspect(page)
    })
    const state = page.getByRole('region', { name: api.state?.title ?? '' })
    await test.step('the breaker is open', async () => {
      await page.goto(record)
      await live.getByRole('link', { name: stocks.live?.api ?? '' }).press('Enter')
      await expect(state.getByText(api.state?.open ?? '', { exact: true })).toBeVisible()
      await inspect(page)
    })
    await test.step('once reconnected, it is called again and the breaker closes', async () => {
      system.free = 7
      await system.plug()
      await state.getByRole('button', { name: api.actions?.retry ?? '' }).press('Enter')
      await expect(state.getByText(api.state?.open ?? '', { exact: true })).toBeHidden()
      await page.goto(record)
      await expect(live.getByText(stocks.live?.by?.live ?? '', { exact: true })).toBeVisible()
      await expect(live.getByText(/^7\s/)).toBeVisible()
      await page.goto('/external-apis')
      await expect(state.getByText(api.state?.ok ?? '', { exact: true })).toBeVisible()
      system.free = 12.5
    })
    await test.step('its numbers are fetched and await matching', async () => {
      await page.goto('/imports/new')
      const form = page.getByRole('dialog')
      await form
        .getByLabel(imports.fields?.type ?? '')
        .first()
        .selectOption({ label: TITLES[language] })
      const fetch = form.getByRole('button', { name: api.fetch?.now ?? '' })
      await expect(fetch).toBeEnabled()
      await inspect(page)
      await fetch.press('Enter')
      await page.waitForURL(/\/imports\/\d+/)
      await inspect(page)
      await page.getByRole('link', { name: imports.detail?.unresolvedLink ?? '' }).press('Enter')
      await page.waitForURL(/\/unresolved-numbers/)
      await expect(page.getByRole('row').filter({ hasText: `ERP-${language}-1` })).toBeVisible()
      await inspect(page)
    })
  })
}
