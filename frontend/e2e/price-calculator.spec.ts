import type { Page } from '@playwright/test'
import { inspect, setColours } from './axe'
import { call } from './call'
import { keepMessage } from './message'
import { expect, signIn, test } from './server'

const OWNER = 'leitung@nordstahl.example'

/**
 * Articles of the demo's price list: the first costs 793 per tonne, 773 from 10 m and 748 from 50 m; the
 * second costs 806.
 */
const FIRST = 'IPE-80-S235JR-12.1'
const SECOND = 'IPE-80-S235JR-15.1'

test('a cart of two articles is calculated by mouse, and its price is explained', async ({ page }) => {
  await signIn(page, OWNER)
  await page.goto('/home')
  await page.getByRole('navigation').getByRole('link', { name: 'Preisrechner' }).click()
  const line = (number: number) => page.getByRole('group', { name: `Position ${number}`, exact: true })
  async function fill(number: number, article: string, quantity: string) {
    await line(number).getByRole('combobox', { name: 'Artikel' }).fill(article)
    await page.getByRole('option', { name: new RegExp(`^${article} `) }).click()
    await expect(line(number).getByRole('combobox', { name: 'Einheit: Menge' })).toHaveValue('piece')
    await line(number).getByRole('textbox', { name: 'Menge' }).fill(quantity)
  }
  await fill(1, FIRST, '3')
  await page.getByRole('button', { name: 'Position hinzufügen' }).click()
  await fill(2, SECOND, '2')
  // 3 bars of 12.1 m are 36.3 m
  await expect(line(1).getByText('3 St = 36,3 m = 217,8 kg')).toBeVisible()
  await page.getByRole('button', { name: 'Berechnen' }).click()

  await line(1).getByRole('button', { name: 'Warum dieser Preis?' }).click()
  const why = page.getByRole('region', { name: `Warum dieser Preis: ${FIRST}` })
  const step = (name: string) => why.getByRole('row', { name: new RegExp(`^${name} `) })
  await expect(step('Preis Ab')).toContainText('Ab 10 m gilt der Staffelpreis von 773,00 € / t.')
  // 3 x 12.1 m x 6 kg/m = 217.8 kg; x 773 EUR / 1,000 kg = 168.3594 EUR
  expect(3 * 121 * 6 * 773).toBe(1_683_594)
  await expect(step('Grundpreis')).toContainText('0,2178 t zu 773,00 € / t ergeben 168,3594 €, gerundet 168,36 €.')
  // 2 x 15.1 m x 6 kg/m = 181.2 kg; with the others 399 kg, for which 35 EUR a tonne are added: 0.2178 x 35 =
  // 7.623
  expect(2178 * 35).toBe(76_230)
  await expect(step('Energiezuschlag')).toContainText('+7,62 €')
  await expect(why.getByRole('link', { name: /^Verkauf \d{4}$/ }).first()).toBeVisible()
  await inspect(page)

  // a change is calculated automatically, and a reload loses nothing
  await line(1).getByRole('textbox', { name: 'Menge' }).fill('30')
  // 30 x 12.1 m = 363 m, at the price from 50 m: x 6 kg/m x 748 EUR/t = 1,629.144 EUR
  expect(30 * 121 * 6 * 748).toBe(16_291_440)
  await expect(step('Grundpreis')).toContainText('1.629,14 €')
  await page.reload()
  await expect(line(1).getByRole('textbox', { name: 'Menge' })).toHaveValue('30')
  await expect(line(2)).toContainText('806,00 € / t')
})

/** Element that has the focus. */
const focused = (page: Page) => page.locator(':focus')

test('the same in English, by keyboard', async ({ page }) => {
  await signIn(page, OWNER, 'en')
  await page.goto('/price-calculator')
  const line = (number: number) => page.getByRole('group', { name: `Line ${number}`, exact: true })
  await expect(page.getByRole('heading', { level: 1, name: 'Price calculator' })).toBeVisible()
  const article = async (number: number, name: string) => {
    await expect(line(number).getByRole('combobox', { name: 'Article' })).toBeFocused()
    await page.keyboard.type(name)
    await expect(page.getByRole('option', { name: new RegExp(`^${name} `) })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(line(number).getByRole('combobox', { name: 'Unit: Quantity' })).toHaveValue('piece')
    await page.keyboard.press('Tab')
    await expect(focused(page)).toHaveAttribute('name', `lines.${number - 1}.quantity`)
  }
  await line(1).getByRole('combobox', { name: 'Article' }).focus()
  await article(1, FIRST)
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await article(2, SECOND)
  await page.keyboard.type('2')
  await page.keyboard.press('Control+Enter')
  await expect(line(1)).toContainText('773.00 € / t')
  // 2 x 15.1 m x 6 kg/m = 181.2 kg; x 806 EUR/t = 146.0472 EUR
  expect(2 * 151 * 6 * 806).toBe(1_460_472)
  await line(2)
    .getByRole('button', { name: /^Why this price/ })
    .focus()
  await page.keyboard.press('Enter')
  const why = page.getByRole('region', { name: `Why this price: ${SECOND}` })
  await expect(why.getByRole('row', { name: /^Base price / })).toContainText('0.1812 t at 806.00 € / t make 146.0472 €, rounded 146.05 €.')
  await inspect(page)

  // Alt+Delete removes the line, which is undone
  await line(2).getByRole('textbox', { name: 'Quantity' }).focus()
  await page.keyboard.press('Alt+Delete')
  await keepMessage(page, 'Undo')
  await expect(line(2)).toHaveCount(0)
  await expect(page).not.toHaveURL(/line=.*line=/)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(line(2)).toContainText('806.00 € / t')
})

test('every displayed price links to its explanation', async ({ page }) => {
  await signIn(page, OWNER)
  const why = page.getByRole('region', { name: `Warum dieser Preis: ${FIRST}` })
  async function explained() {
    await expect(why.getByRole('row', { name: /^Grundpreis / })).toBeVisible()
    await expect(why.getByRole('link', { name: /^Verkauf \d{4}$/ }).first()).toBeVisible()
  }

  await page.goto(`/stocks?f.search=${FIRST}`)
  await page
    .getByRole('button', { name: new RegExp(`^Aktionen.*${FIRST}`) })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Warum dieser Preis?' }).click()
  await explained()

  const inSheet = async (column: string) => {
    await expect(page.locator('[data-row="0"]')).toContainText(FIRST)
    await page.locator(`[data-row="0"] [data-column="${column}"]`).click()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('link', { name: 'Warum dieser Preis?' }).click()
    await explained()
  }
  await page.goto(`/prices?f.search=${FIRST}`)
  await inSheet('7')
  await page.goto('/priceLists')
  await page
    .getByRole('main')
    .getByRole('link', { name: /^Verkauf \d{4}$/ })
    .first()
    .click()
  await page
    .getByRole('navigation', { name: /^Verkauf \d{4}$/ })
    .getByRole('link', { name: 'Preise' })
    .click()
  await page.getByRole('main').getByRole('searchbox').fill(FIRST)
  await inSheet('5')
})

test('a customer is shown their prices, on paper or as text, without cost and margin', async ({ page }) => {
  test.setTimeout(120_000)
  await signIn(page, OWNER)
  await page.goto('/home')
  const fetchFirst = <T>(path: string) => call<{ data: T[] }>(page, 'GET', path).then(({ data }) => data[0])
  const article = await fetchFirst<{ id: number }>(`/api/admin/articles?filter[article_number]=${FIRST}`)
  const customer = await fetchFirst<{ id: number }>('/api/admin/partners?filter[search]=sued')
  await page.goto(`/price-calculator?buyer=${customer?.id}&line=${article?.id}_3_piece`)
  await page.getByRole('button', { name: 'Ansicht für den Kunden' }).click()
  const view = page.getByRole('dialog', { name: 'Preise für Südrohr AG' })
  await expect(view.getByText('Nordstahl Handel GmbH')).toBeVisible()
  await expect(view.getByRole('heading', { name: new RegExp(`^1\\. ${FIRST} · .*: 3\\sSt$`) })).toBeVisible()
  await expect(view.getByText('Ab 10 m gilt der Staffelpreis von 773,00 € / t.')).toBeVisible()
  await expect(view.getByText(/^Gesamt: /)).toBeVisible()
  await expect(view.getByText(/Einstand|Marge/)).toHaveCount(0)
  await inspect(page)
  await setColours(page, 'dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await inspect(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await setColours(page, 'light')

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await view.getByRole('button', { name: 'Als Text kopieren' }).click()
  await expect(page.getByText('Die Preise sind als Text kopiert')).toBeVisible()
  const text = await page.evaluate(() => navigator.clipboard.readText())
  expect(text).toMatch(/^Preise für Südrohr AG\nNordstahl Handel GmbH\n/)
  expect(text).toContain('   Grundpreis: 168,36 € (0,2178 t zu 773,00 € / t ergeben 168,3594 €, gerundet 168,36 €.)')
  expect(text).not.toMatch(/Einstand|Marge/)

  // only the prices are printed
  await page.emulateMedia({ media: 'print' })
  await expect(view.getByText(/^Gesamt: /)).toBeVisible()
  await expect(view.getByRole('button', { name: 'Drucken' })).toBeHidden()
  await expect(page.getByRole('navigation').first()).toBeHidden()
})
