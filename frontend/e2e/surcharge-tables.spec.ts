import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { call } from './call'
import { saveWithImpact } from './impact'
import { expect, signIn, test } from './server'

const OWNER = 'leitung@nordstahl.example'
const NAME = `E2E Energie ${Date.now().toString(36)}`
/** Article in the demo's price list that no other test uses. */
const ARTICLE = 'IPE-100-S355J2-12.1'

/** Column of the current month: after the name and five past months. */
const NOW = 6

interface FoundArticle {
  id: number
  article_type: { id: number; name: string }
}

const cell = (page: Page, column: number) => page.getByRole('grid').locator(`[data-row="0"] [data-column="${column}"]`)

test('a surcharge table is created, filled and carried forward, and prices use it', async ({ page, context }) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, OWNER)
  const main = page.getByRole('main')

  await test.step('a table by article types', async () => {
    await page.goto('/surcharge-tables')
    await expect(main.getByRole('link', { name: 'Neue Zuschlagstabelle' })).toBeVisible()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog')
    await form.getByLabel('Name *').fill(NAME)
    await form.getByLabel('Art *').selectOption('energy')
    await form.getByLabel('Zeilen *').selectOption('article_type')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
    // it opens on its rows
    await expect(page.getByText('Noch keine Werte')).toBeVisible()
  })

  const response = await call<{ data: FoundArticle[] }>(page, 'GET', `/api/admin/articles?filter[article_number]=${ARTICLE}`)
  const [article] = response.data
  if (!article) throw new Error(`no article ${ARTICLE}`)

  await test.step('two months are pasted, the next one is carried forward, all are saved together', async () => {
    await main.getByRole('combobox', { name: 'Artikeltyp hinzufügen' }).fill(article.article_type.name)
    await page.getByRole('option', { name: article.article_type.name, exact: true }).click()
    await expect(cell(page, 0)).toContainText(article.article_type.name)
    await cell(page, NOW - 1).click()
    await page.evaluate(() => navigator.clipboard.writeText('38,50\t42,00\r\n'))
    await page.keyboard.press('Control+V')
    await expect(cell(page, NOW)).toContainText('42,00')
    await page.getByRole('button', { name: /vorbelegen$/ }).click()
    await expect(cell(page, NOW + 1)).toContainText('42,00')
    await inspect(page)
    await main.getByRole('button', { name: 'Speichern' }).click()
    await expect(page.getByText('3 Werte gespeichert')).toBeVisible()
  })

  const path = new URL(page.url()).pathname
  const [, , table] = path.split('/')
  await call(page, 'POST', '/api/admin/price-adjustments', {
    name: NAME,
    operation: 'surcharge',
    value: null,
    surcharge_table_id: Number(table),
    calculation_type: 'perTon',
    apply_to: { kind: 'item', articles: [article.id] },
  })
  const why = page.getByRole('region', { name: `Warum dieser Preis: ${ARTICLE}` })
  const step = why.getByRole('row', { name: new RegExp(`^${NAME}`) })
  const price = `/price-calculator?line=${article.id}_2_t&why`

  await test.step('the price includes the value of the month, and links to the table', async () => {
    await page.goto(price)
    await expect(step).toContainText('Zuschlag von 42,00 € je t auf 2.000 kg')
    await expect(step).toContainText('+84,00 €')
    await step.getByRole('link', { name: NAME, exact: true }).last().click()
    await expect(page.getByRole('heading', { level: 1, name: NAME })).toBeVisible()
  })

  await test.step('a removed value is reported, also by the price', async () => {
    await page.getByRole('navigation', { name: NAME }).getByRole('link', { name: 'Werte' }).click()
    await cell(page, NOW).click()
    await page.keyboard.press('Delete')
    await main.getByRole('button', { name: 'Speichern' }).click()
    await saveWithImpact(page)
    await expect(page.getByText('1 Wert gespeichert')).toBeVisible()
    await expect(cell(page, NOW)).toContainText('fehlt')
    await expect(page.getByText('1 Wert fehlt')).toBeVisible()
    await page.getByRole('navigation', { name: NAME }).getByRole('link', { name: 'Verlauf' }).click()
    await expect(main.getByText('42').first()).toBeVisible()
    await page.goto('/home')
    await expect(page.getByRole('link', { name: /Zuschlagstabellen? ha(t|ben) fehlende Werte/ })).toBeVisible()
    await page.goto(price)
    await expect(why.getByRole('row', { name: /^Grundpreis / })).toBeVisible()
    await why
      .getByText(/bleibt hier wirkungslos|bleiben hier wirkungslos|zählt hier nicht|nicht angewendet/i)
      .first()
      .click()
    await expect(why.getByText(/kein Wert in der Zuschlagstabelle/)).toBeVisible()
  })

  await test.step('the same in English on a phone', async () => {
    await page.evaluate(() => localStorage.setItem('Language', 'en'))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/surcharge-tables')
    await expect(page.getByRole('heading', { level: 1, name: 'Surcharge tables' })).toBeVisible()
    await inspect(page)
    await page.goto(path)
    await expect(page.getByText('1 value is missing')).toBeVisible()
    await inspect(page)
  })
})
