import type { Page } from '@playwright/test'
import { inspect, setColours } from './axe'
import { call } from './call'
import { impactOf, saveWithImpact } from './impact'
import { expect, signIn, test } from './server'

/**
 * Section in the demo's price list of the year; for eleven tonnes the price of its longest quantity break
 * applies.
 */
const SECTION = 'IPE-80-S235JR-12.1'
const TONNES = 11
const CUSTOMER = 'Südrohr AG'
const OF_SELLER = 'tenantId=1'
const STAMP = Date.now().toString(36)

const two = (number: number) => String(number).padStart(2, '0')
const now = new Date()
/** First of next month; in December that of the month after, because the year's lists change in between. */
const begins = new Date(now.getFullYear(), now.getMonth() + (now.getMonth() === 11 ? 2 : 1), 1)
const ahead = now.getMonth() === 11 ? 2 : 1
const DAY = `${two(begins.getDate())}.${two(begins.getMonth() + 1)}.${begins.getFullYear()}`
const AT = `${begins.getFullYear()}-${two(begins.getMonth() + 1)}-02T09:00`
const LIST = `Verkauf ${begins.getFullYear()}`
const NEXT = `${LIST} (neu)`
const KEPT = `E2E ${LIST} für einen Kunden ${STAMP}`
const DISCOUNT = `E2E Träger über 10 t ${STAMP}`
const ALLOY = `E2E Legierung ${STAMP}`

interface Article {
  id: number
  article_type: { id: number; name: string }
}

async function article(page: Page): Promise<Article> {
  const { data } = await call<{ data: Article[] }>(page, 'GET', `/api/admin/articles?filter[article_number]=${SECTION}`)
  const [firstArticle] = data
  if (!firstArticle) throw new Error(`no article ${SECTION}`)
  return firstArticle
}

/**
 * Price of the tonnes for a buyer before adjustments, in cents, at the time when all changes are in effect.
 */
async function base(page: Page, buyer: string | null): Promise<number> {
  const line = { article_id: (await article(page)).id, quantity: String(TONNES), unit: 't' }
  const carts = [{ buyer_short_code: buyer, at: begins.toISOString(), lines: [line] }]
  const { data } = await call<{ data: { base: string }[] }>(page, 'POST', `/api/admin/quotes?tenant_id=1`, { carts })
  return Math.round(Number(data[0]?.base) * 100)
}

/** Price of the tonnes after a rise by 3 %, which rounds the price per tonne to cents. */
const risen = (cents: number) => Math.round(((cents / TONNES) * 103) / 100) * TONNES

const euro = (cents: number, lang: string) =>
  new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(cents / 100)

test.describe.configure({ mode: 'serial' })

test('prices rise by 3 % for all customers but one, sections over 10 t get 15 €/t off, alloy surcharge by month', async ({ page }) => {
  test.setTimeout(480_000)
  await signIn(page)
  const main = page.getByRole('main')
  await page.goto('/home')
  const { id, article_type: type } = await article(page)
  const before = await base(page, null)
  const lists = () => page.goto(`/priceLists?${OF_SELLER}&f.name=${encodeURIComponent(LIST)}`)
  const listOf = () => main.getByRole('row').filter({ hasText: 'Nordstahl' }).getByRole('link', { name: LIST, exact: true })

  await test.step('one customer keeps the prices: the list is copied for them alone', async () => {
    await lists()
    await listOf().click()
    await main.getByRole('button', { name: 'Duplizieren' }).click()
    const copy = page.getByRole('dialog', { name: `„${LIST}“ duplizieren` })
    await copy.getByLabel('Name *').fill(KEPT)
    await copy.getByLabel('Gültig ab, Tag').fill(DAY)
    await copy.getByRole('button', { name: 'Kopie anlegen' }).click()
    await expect(page.getByRole('heading', { level: 1, name: KEPT })).toBeVisible()
    await page.getByRole('navigation', { name: KEPT }).getByRole('link', { name: 'Angaben' }).click()
    await main.getByLabel('Geltung *').selectOption('own')
    await main.getByRole('combobox', { name: 'Kunden hinzufügen' }).fill(CUSTOMER)
    await page.getByRole('option', { name: new RegExp(CUSTOMER) }).click()
    await main.getByRole('button', { name: 'Speichern' }).click()
    // their price does not change, so no impact is shown
    await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
  })

  await test.step('a new version with 3 % more for all others, from the first of the month', async () => {
    await lists()
    await listOf().click()
    await main.getByRole('button', { name: 'Neue Version ab …' }).click()
    const version = page.getByRole('dialog', { name: `Neue Version von „${LIST}“` })
    await version.getByLabel('Gültig ab, Tag').fill(DAY)
    await version.getByLabel('Änderung *').selectOption('percent')
    await version.getByLabel('Um *').fill('3')
    await expect(version.getByText(/mittlere Änderung \+3,00\s%/)).toBeVisible()
    await version.getByRole('button', { name: 'Neue Version anlegen' }).click()
    await expect(impactOf(page).getByText(/von \d+ Artikeln ändern sich/)).toBeVisible()
    await inspect(page)
    await saveWithImpact(page)
    await expect(page.getByRole('heading', { level: 1, name: NEXT })).toBeVisible()
    await main.getByRole('button', { name: 'Auswirkung' }).first().click()
    const impact = page.getByRole('dialog', { name: `Auswirkung von „${NEXT}“` })
    await expect(impact.getByText(/von \d+ Artikeln ändern sich/)).toBeVisible()
    await expect(
      impact
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: /^IPE-/ }) })
        .first(),
    ).toBeVisible()
    await inspect(page)
    await impact.getByRole('button', { name: 'Schließen' }).click()
    expect(await base(page, null)).toBe(risen(before))
    expect(await base(page, 'SUED')).toBe(before)
  })

  await test.step('15 €/t off sections over 10 t, whose impact is shown first', async () => {
    await page.goto(`/price-adjustments?${OF_SELLER}`)
    await main.getByRole('link', { name: 'Neue Preisanpassung' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name *').fill(DISCOUNT)
    await form.getByLabel('Art *', { exact: true }).selectOption('discount')
    await form.getByLabel('Wert *').fill('15')
    await form.getByLabel('Wirkt auf *').selectOption('item')
    await form.getByRole('combobox', { name: 'Kategorie hinzufügen' }).click()
    await page.getByRole('option', { name: 'Langprodukte › Träger', exact: true }).click()
    await form.getByRole('button', { name: 'Bedingung hinzufügen' }).click()
    const condition = form.getByRole('group', { name: 'Bedingung 1', exact: true })
    await condition.getByLabel('Was verglichen wird, Bedingung 1').selectOption('item_weight')
    await condition.getByLabel('Vergleich, Bedingung 1').selectOption('greater_than')
    await condition.getByLabel('Wert, Bedingung 1', { exact: true }).fill('10')
    await form.getByRole('button', { name: 'Speichern' }).click()
    const impact = impactOf(page)
    // a truckload of 25 t is more than 10 t
    const mover = impact.getByRole('row').filter({ has: page.getByRole('link', { name: /^(IPE|HEA|HEB)/ }) })
    await expect(mover.first()).toContainText('−375,00 €')
    await expect(impact.getByText('Preise sinken')).toBeVisible()
    await inspect(page)
    // in dark colours, and at the width of a phone
    await setColours(page, 'dark')
    await inspect(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await inspect(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await setColours(page, 'light')
    // returns to the form, which is unchanged
    await impact.getByRole('button', { name: 'Zurück zum Formular' }).click()
    await expect(form.getByLabel('Name *')).toHaveValue(DISCOUNT)
    await form.getByRole('button', { name: 'Speichern' }).click()
    await saveWithImpact(page)
    await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
  })

  await test.step('a surcharge by month, from a table', async () => {
    await page.goto(`/surcharge-tables?${OF_SELLER}`)
    await main.getByRole('link', { name: 'Neue Zuschlagstabelle' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name *').fill(ALLOY)
    await form.getByLabel('Art *').selectOption('alloy')
    await form.getByLabel('Zeilen *').selectOption('article_type')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
    await main.getByRole('combobox', { name: 'Artikeltyp hinzufügen' }).fill(type.name)
    await page.getByRole('option', { name: type.name, exact: true }).click()
    // the current month follows the name and five past months
    const month = page.getByRole('grid').locator(`[data-row="0"] [data-column="${6 + ahead}"]`)
    await month.click()
    await page.keyboard.type('20')
    await page.keyboard.press('Enter')
    await main.getByRole('button', { name: 'Speichern' }).click()
    await expect(page.getByText('1 Wert gespeichert')).toBeVisible()

    await page.goto(`/price-adjustments?${OF_SELLER}`)
    await main.getByRole('link', { name: 'Neue Preisanpassung' }).click()
    const adjustment = page.getByRole('dialog')
    await adjustment.getByLabel('Name *').fill(ALLOY)
    await adjustment.getByRole('combobox', { name: 'Zuschlagstabelle' }).fill(ALLOY)
    await page.getByRole('option', { name: ALLOY }).click()
    await adjustment.getByLabel('Gültig ab, Tag').fill(DAY)
    await adjustment.getByRole('button', { name: 'Speichern' }).click()
    // the impact is shown for the moment at which it takes effect
    await expect(impactOf(page).getByText(/^Untersucht: /)).toContainText(DAY)
    await expect(impactOf(page).getByText('Preise steigen')).toBeVisible()
    await saveWithImpact(page)
    await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
  })

  const why = page.getByRole('region', { name: `Warum dieser Preis: ${SECTION}` })
  const step = (name: string) => why.getByRole('row', { name: new RegExp(`^${name.replace(/[()]/g, '\\$&')}`) })
  const explain = (buyer: string) => page.goto(`/price-calculator?${OF_SELLER}&line=${id}_${TONNES}_t${buyer}&at=${AT}&why`)

  await test.step('the calculator has all of it, with its reasons', async () => {
    await explain('')
    await expect(step('Grundpreis')).toContainText(`${euro(risen(before), 'de')} €`)
    await expect(why.getByRole('link', { name: NEXT }).first()).toBeVisible()
    await expect(step(DISCOUNT)).toContainText('−165,00 €')
    await expect(step(ALLOY)).toContainText('Zuschlag von 20,00 € je t auf 11.000 kg')
    await expect(step(ALLOY)).toContainText('+220,00 €')
    await inspect(page)
  })

  await test.step('and the old price for the one customer', async () => {
    await explain('&buyer=2')
    await expect(step('Grundpreis')).toContainText(`${euro(before, 'de')} €`)
    await expect(why.getByRole('link', { name: KEPT }).first()).toBeVisible()
    await expect(step(DISCOUNT)).toContainText('−165,00 €')
  })

  await test.step('the check of adjustments reports a finding, and shows its carts in the calculator', async () => {
    await page.goto(`/price-adjustments?${OF_SELLER}`)
    await main.getByRole('button', { name: /^Prüfung: / }).click()
    const check = page.getByRole('dialog', { name: 'Prüfung der Preisanpassungen' })
    await expect(check.getByText(/^Untersucht: /)).toBeVisible()
    await inspect(page)
    await check
      .getByRole('link', { name: /^Im Rechner zeigen: / })
      .first()
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'Preisrechner' })).toBeVisible()
    await expect(main.getByText('Ergebnis').first()).toBeVisible()
  })
})

test('the same in English, by keyboard', async ({ page }) => {
  test.setTimeout(240_000)
  await signIn(page, undefined, 'en')
  const main = page.getByRole('main')
  const { keyboard } = page
  const name = `E2E surcharge ${STAMP}`

  await test.step('what the new list does', async () => {
    await page.goto(`/priceLists?${OF_SELLER}&f.name=${encodeURIComponent(NEXT)}`)
    await main.getByRole('link', { name: NEXT, exact: true }).focus()
    await keyboard.press('Enter')
    await main.getByRole('button', { name: 'Impact' }).first().focus()
    await keyboard.press('Enter')
    const impact = page.getByRole('dialog', { name: `Impact of “${NEXT}”` })
    await expect(impact.getByRole('button', { name: 'Close' })).toBeFocused()
    await expect(impact.getByText(/of \d+ articles change/)).toBeVisible()
    await inspect(page)
    await keyboard.press('Escape')
    await expect(impact).toBeHidden()
    await expect(main.getByRole('button', { name: 'Impact' }).first()).toBeFocused()
  })

  await test.step('a surcharge on sections only, whose impact is shown before saving', async () => {
    await page.goto(`/price-adjustments?${OF_SELLER}`)
    await expect(main.getByRole('link', { name: 'New price adjustment' })).toBeVisible()
    await keyboard.press('n')
    const form = page.getByRole('dialog')
    await expect(form.getByLabel('Name *')).toBeFocused()
    await keyboard.type(name)
    await form.getByLabel(/^Value/).focus()
    await keyboard.type('12.5')
    await keyboard.press('Control+Enter')
    const impact = impactOf(page)
    await expect(impact.getByText('Prices rise')).toBeVisible()
    await keyboard.press('Escape')
    await expect(impact).toBeHidden()
    await expect(form.getByLabel(/^Value/)).toHaveValue('12.50')
    await keyboard.press('Control+Enter')
    await expect(impact.getByRole('button', { name: 'Back to the form' })).toBeFocused()
    await expect(impact.getByText(/^Examined: /)).toBeVisible()
    await keyboard.press('Shift+Tab')
    await impact.getByRole('button', { name: 'Save' }).focus()
    await keyboard.press('Enter')
    await expect(page.getByText(/was saved/)).toBeVisible()
  })

  await test.step('switching it off and deleting it show their impact, too', async () => {
    await main.getByRole('switch', { name: `Switch on ${name}` }).focus()
    await keyboard.press('Space')
    const off = page.getByRole('dialog', { name: `Switch off “${name}”?` })
    await expect(off.getByText('Prices fall')).toBeVisible()
    await off.getByRole('button', { name: 'Switch off' }).focus()
    await keyboard.press('Enter')
    await expect(main.getByRole('switch', { name: `Switch on ${name}` })).not.toBeChecked()
    await page.getByRole('button', { name: `Actions for ${name}` }).focus()
    await keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).focus()
    await keyboard.press('Enter')
    const question = page.getByRole('alertdialog')
    await expect(question.getByText(/^Examined: /)).toBeVisible()
    await inspect(page)
    await question.getByRole('button', { name: 'Delete' }).focus()
    await keyboard.press('Enter')
    await expect(main.getByRole('link', { name, exact: true })).toBeHidden()
  })
})
