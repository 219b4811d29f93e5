import type { Page } from '@playwright/test'
import { inspect, setColours } from './axe'
import { call } from './call'
import { expect, signIn, test } from './server'

/** Price manager and clerk of a company. */
const OWNER = 'leitung@nordstahl.example'
/** Article whose length and section no other test prices. */
const TIERED = 'IPE-120-S235JR-12.1'
/** Article that weighs 6 kg per metre. */
const LIGHT = 'IPE-80-S235JR-12.1'

const WORDS = {
  de: {
    show: /^Spalten ansehen und ändern/,
    preview: 'Vorschau',
    apply: 'Jetzt importieren',
    done: 'Erfolgreich',
    removes: /Einträge entfernen\?$/,
    undo: /^Rückgängig machen/,
    undone: 'Rückgängig gemacht',
    article: 'Artikel',
    quantity: 'Menge',
    unit: 'Einheit: Menge',
    calculate: 'Berechnen',
    line: 'Position 1',
    dot: ',',
  },
  en: {
    show: /^Show and change columns/,
    preview: 'Preview',
    apply: 'Import now',
    done: 'Successful',
    removes: /^Remove [\d,]+ records\?$/,
    undo: /^Undo/,
    undone: 'Undone',
    article: 'Article',
    quantity: 'Quantity',
    unit: 'Unit: Quantity',
    calculate: 'Calculate',
    line: 'Line 1',
    dot: '.',
  },
} as const

interface Article {
  id: number
  weight_per_base_unit: string
}

interface Stock {
  id: number
  quantity: string | null
  external_price: { price: string; price_quantity: string; unit: string } | null
  internal_price: object | null
  article: { article_number: string }
  warehouse: { short_code: string }
}

const listed = async (page: Page, path: string) => (await call<{ data: Stock[] }>(page, 'GET', `/api/admin/${path}`)).data

/** Inspects the page in light colours on a desktop, and in dark colours on a phone. */
async function checkPage(page: Page): Promise<void> {
  await inspect(page)
  await setColours(page, 'dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await inspect(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await setColours(page, 'light')
}

/** Chooses a file with these rows in the wizard. */
async function choose(page: Page, type: string, rows: string[]): Promise<void> {
  await page.goto('/imports/new')
  const form = page.getByRole('dialog')
  await form.locator('select[name=type]').selectOption(type)
  await page.locator('input[type=file]').setInputFiles({ name: 'datei.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) })
}

for (const language of ['de', 'en'] as const) {
  const w = WORDS[language]

  test(`a heading with a price unit is recognised and shown by the wizard (${language})`, async ({ page }) => {
    await signIn(page, OWNER, language)
    await page.goto('/home')
    const latestPrices = await listed(page, `prices?page[size]=40&sort=${language === 'de' ? 'id' : '-id'}`)
    const stock = latestPrices.find(({ external_price }) => external_price?.unit === 't')
    if (!stock?.external_price) throw new Error('the demo has no price')
    const number = stock.article.article_number
    const before = Number(stock.external_price.price) / Number(stock.external_price.price_quantity)
    // 1 % more, per 100 kg
    const price = (before / 10) * 1.01
    await choose(page, 'Price', [
      'Artikelnummer;Lager;Preis [EUR/100 kg]',
      `${number};${stock.warehouse.short_code};${price.toFixed(2).replace('.', ',')}`,
    ])
    const form = page.getByRole('dialog')
    await expect(form.getByText(/100\skg/).first()).toBeVisible()
    await form.getByRole('button', { name: w.show }).click()
    await checkPage(page)
    await form.getByRole('button', { name: w.preview }).click()
    await form.getByRole('button', { name: w.apply }).click()
    // the customer's price is shown if it changes
    const question = page.getByRole('dialog', { name: /\?$/ })
    const done = page.getByRole('dialog').getByText(w.done)
    await expect(question.or(done).first()).toBeVisible()
    if (await question.isVisible()) await question.getByRole('button', { name: w.apply }).click()
    await expect(done.first()).toBeVisible()
    const after = (await listed(page, `prices?page[size]=40&filter[search]=${number}`)).find(({ id }) => id === stock.id)
    expect(after?.external_price).toMatchObject({ price_quantity: '100', unit: 'kg' })
    expect(Number(after?.external_price?.price)).toBe(Number(price.toFixed(2)))
  })

  test(`a stock file counts in kilograms (${language})`, async ({ page }) => {
    await signIn(page, OWNER, language)
    await page.goto('/home')
    const [stock] = await listed(page, `stocks?filter[search]=${LIGHT}&filter[availability_type]=quantity`)
    if (!stock) throw new Error('the demo has no stock')
    await choose(page, 'Stock', ['Artikelnummer;Lager;Menge [kg]', `${LIGHT};${stock.warehouse.short_code};1000`])
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: w.show }).click()
    await checkPage(page)
    await form.getByRole('button', { name: w.preview }).click()
    await form.getByRole('button', { name: w.apply }).click()
    await expect(page.getByRole('dialog').getByText(w.done).first()).toBeVisible()
    const [after] = await listed(page, `stocks?filter[search]=${LIGHT}&filter[availability_type]=quantity`)
    // 1,000 kg at 6 kg per metre, to six decimal places
    expect(after?.quantity).toBe('166.666667')
  })

  test(`a file that replaces everything is stopped in time (${language})`, async ({ page }) => {
    await signIn(page, OWNER, language)
    await page.goto('/home')
    const [stock] = await listed(page, `stocks?filter[search]=${LIGHT}&filter[availability_type]=quantity`)
    const before = await listed(page, 'stocks?sort=id&page[size]=100')
    await choose(page, 'Stock', ['Artikelnummer;Lager;Menge', `${LIGHT};${stock?.warehouse.short_code};10`])
    const form = page.getByRole('dialog').first()
    await form.locator('select[name=strategy]').selectOption('replace_all')
    await form.getByRole('button', { name: w.preview }).click()
    await expect(form.getByRole('note').first()).toBeVisible()
    await checkPage(page)
    await form.getByRole('button', { name: w.apply }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toBeVisible()
    await expect(question.getByRole('heading')).toHaveText(w.removes)
    await checkPage(page)
    await expect(question.getByRole('button').last()).toBeDisabled()
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    expect(await listed(page, 'stocks?sort=id&page[size]=100')).toEqual(before)
  })

  test(`one of three prices is undone, and the others stay (${language})`, async ({ page }) => {
    await signIn(page, OWNER, language)
    await page.goto('/home')
    const three = (await listed(page, 'prices?page[size]=40&sort=-id')).filter(({ external_price }) => external_price).slice(0, 3)
    const amount = (stock: Stock) => Number(stock.external_price?.price)
    const prices = three.map((stock) => ({
      id: stock.id,
      external_price: { ...stock.external_price, price: (amount(stock) + 1).toFixed(2) },
      internal_price: stock.internal_price,
    }))
    await call(page, 'PUT', '/api/admin/prices/bulk', { prices })
    await page.goto('/audit')
    const one = page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: w.undo }) })
      .first()
    await checkPage(page)
    await one.getByRole('button', { name: w.undo }).first().click()
    // the impact on prices is shown first
    const question = page.getByRole('alertdialog')
    await expect(question.getByText(/^(Untersucht|Examined): /)).toBeVisible()
    await checkPage(page)
    // the history also has earlier undos
    const undone = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/undo'))
    await question.getByRole('button', { name: w.undo }).click()
    expect((await undone).ok()).toBe(true)
    await expect(page.getByText(w.undone).first()).toBeVisible()
    const after = await listed(page, 'prices?page[size]=40&sort=-id')
    const rises = three.map((stock) => amount(after.find(({ id }) => id === stock.id) ?? stock) - amount(stock))
    expect(rises.map(Math.round).sort()).toEqual([0, 1, 1])
  })

  test(`a quantity break from 5 t applies in every unit (${language})`, async ({ page }) => {
    await signIn(page, OWNER, language)
    await page.goto('/home')
    const [article] = (await call<{ data: Article[] }>(page, 'GET', `/api/admin/articles?filter[article_number]=${TIERED}`)).data
    const lists = await call<{ data: { id: number; name: string }[] }>(page, 'GET', '/api/admin/price-lists?filter[status]=active')
    const list = lists.data.find(({ name }) => /^Verkauf \d{4}$/.test(name))
    if (!article || !list) throw new Error('the demo has no such list')
    const inList = `/api/admin/price-lists/${list.id}/prices`
    const { data } = await call<{ data: { price: { price: string } }[] }>(page, 'GET', `${inList}?filter[search]=${TIERED}`)
    const usual = Number(data[0]?.price.price)
    const priceInput = (price: number) => ({ price: String(price), price_quantity: '1', unit: 't' })
    const tiers = [{ quantity_from: '5', quantity_unit: 't', ...priceInput(usual - 20) }]
    await call(page, 'PUT', inList, { prices: [{ article_id: article.id, price: priceInput(usual), bulk_prices: tiers }] })
    await page.goto(`/priceLists/${list.id}/prices?f.search=${TIERED}`)
    await expect(page.getByText(/≥\s5\st/).first()).toBeVisible()
    await checkPage(page)

    await page.goto('/price-calculator')
    const line = page.getByRole('group', { name: w.line, exact: true })
    await line.getByRole('combobox', { name: w.article }).fill(TIERED)
    await page.getByRole('option', { name: new RegExp(`^${TIERED} `) }).click()
    const unit = line.getByRole('combobox', { name: w.unit })
    await expect(unit).toHaveValue('piece')
    const metres = 5000 / Number(article.weight_per_base_unit)
    const orders: [string, string, number][] = [
      ['5', 't', usual - 20],
      ['5000', 'kg', usual - 20],
      [String(Math.floor(metres)), 'm', usual],
      [String(Math.floor(metres) + 1), 'm', usual - 20],
      [`4${w.dot}999`, 't', usual],
    ]
    for (const [quantity, unitText, price] of orders) {
      await line.getByRole('textbox', { name: w.quantity }).fill(quantity)
      await unit.selectOption(unitText)
      await page.getByRole('button', { name: w.calculate }).click()
      await expect(line).toContainText(`${price}${w.dot}00 € / t`)
    }
    await checkPage(page)
  })
}
