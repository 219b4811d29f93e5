import type { Page } from '@playwright/test'
import { inspect, setColours } from './axe'
import { call } from './call'
import { saveWithImpact } from './impact'
import { expect, signIn, test } from './server'

/** Price manager of a company, who needs no help by a platform administrator. */
const OWNER = 'leitung@nordstahl.example'
const EXCEPT = 'Südrohr AG'
const CODE = 'SUED'
const SECTION = 'IPE-80-S235JR-12.1'

const two = (number: number) => String(number).padStart(2, '0')
const now = new Date()
const begins = new Date(now.getFullYear(), now.getMonth() + 1, 1)
const DAY = {
  de: `${two(begins.getDate())}.${two(begins.getMonth() + 1)}.${begins.getFullYear()}`,
  en: `${two(begins.getDate())}-${two(begins.getMonth() + 1)}-${begins.getFullYear()}`,
}

const WORDS = {
  de: {
    create: 'Neue Preisanpassung',
    name: 'Name *',
    value: 'Wert *',
    by: 'Berechnung *',
    leaveOut: 'Kunden ausnehmen',
    from: 'Gültig ab, Tag',
    save: 'Speichern',
    saved: /wurde (angelegt|gespeichert)/,
    customer: 'Kunde',
    createList: 'Neue Preisliste',
    addCustomer: 'Kunden hinzufügen',
  },
  en: {
    create: 'New price adjustment',
    name: 'Name *',
    value: 'Value *',
    by: 'Calculation *',
    leaveOut: 'Exclude a customer',
    from: 'Valid from, Day',
    save: 'Save',
    saved: /was (created|saved)/,
    customer: 'Customer',
    createList: 'New price list',
    addCustomer: 'Add a customer',
  },
} as const

/**
 * Prices in cents of a section on the second of next month, for customers by short code; null for no
 * customer.
 */
async function prices(page: Page, codes: readonly (string | null)[]): Promise<number[]> {
  const { data } = await call<{ data: { id: number }[] }>(page, 'GET', `/api/admin/articles?filter[article_number]=${SECTION}`)
  const at = new Date(begins.getTime() + 36 * 3_600_000).toISOString()
  const lines = [{ article_id: data[0]?.id, quantity: '1', unit: 't' }]
  const carts = codes.map((code) => ({ buyer_short_code: code, at, lines }))
  const quotes = await call<{ data: { total: string }[] }>(page, 'POST', '/api/admin/quotes', { carts })
  return quotes.data.map(({ total }) => Math.round(Number(total) * 100))
}

for (const lang of ['de', 'en'] as const) {
  const w = WORDS[lang]
  const rise = `E2E +3 % ${lang} ${Date.now().toString(36)}`

  test(`prices rise by 3 % from the first of next month for all customers but one, in ${lang}`, async ({ page }) => {
    test.setTimeout(180_000)
    await signIn(page, OWNER, lang)
    await page.goto('/home')
    const before = await prices(page, [CODE, null])

    await page.goto('/price-adjustments')
    await page.getByRole('main').getByRole('link', { name: w.create }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel(w.name).fill(rise)
    await form.getByLabel(w.value).fill('3')
    await form.getByLabel(w.by).selectOption('relativeToBase')
    // found by short code, by keyboard
    await form.getByRole('combobox', { name: w.leaveOut }).focus()
    await page.keyboard.type(CODE)
    await expect(page.getByRole('option', { name: new RegExp(EXCEPT) })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(form.getByText(EXCEPT, { exact: false }).first()).toBeVisible()
    await form.getByLabel(w.from).fill(DAY[lang])
    await inspect(page)
    await setColours(page, 'dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await inspect(page)
    await page.setViewportSize({ width: 1440, height: 900 })
    await setColours(page, 'light')
    await form.getByRole('button', { name: w.save }).click()
    await saveWithImpact(page)
    await expect(page.getByText(w.saved)).toBeVisible()

    const after = await prices(page, [CODE, null])
    expect(after[0]).toBe(before[0])
    // of the price before adjustments, which is most of the total
    expect((after[1] ?? 0) / (before[1] ?? 1)).toBeCloseTo(1.03, 2)

    // the calculator shows the customer
    await page.goto('/price-calculator')
    await page.getByRole('combobox', { name: w.customer, exact: true }).fill(CODE)
    await page.getByRole('option', { name: new RegExp(EXCEPT) }).click()
    await expect(page.getByRole('combobox', { name: w.customer, exact: true })).toHaveValue(new RegExp(`^${EXCEPT} · ${CODE}`))
    // the form has settled, and its prices are requested
    await expect(page).toHaveURL(/[?&]buyer=\d+/)
    await inspect(page)
    // deactivates it for the tests that follow
    const { data } = await call<{ data: { id: number; name: string }[] }>(page, 'GET', '/api/admin/price-adjustments')
    for (const { id, name } of data) if (name === rise) await call(page, 'PATCH', `/api/admin/price-adjustments/${id}`, { active: false })
  })

  test(`a price list names a customer, or all but one, in ${lang}`, async ({ page }) => {
    await signIn(page, OWNER, lang)
    await page.goto('/priceLists')
    await page.getByRole('main').getByRole('link', { name: w.createList }).click()
    const form = page.getByRole('dialog')
    const name = `E2E ${lang} ${Date.now().toString(36)}`
    await form.getByLabel(w.name).fill(name)
    await form.getByRole('combobox', { name: w.addCustomer }).fill(EXCEPT)
    await page.getByRole('option', { name: new RegExp(EXCEPT) }).click()
    await inspect(page)
    // exclusions do not apply to customers that are named individually
    await expect(form.getByRole('combobox', { name: w.leaveOut })).toHaveCount(0)
    await form.locator('select[name=scope]').selectOption('global')
    await form.getByRole('combobox', { name: w.leaveOut }).fill(CODE)
    await page.getByRole('option', { name: new RegExp(EXCEPT) }).click()
    await form.getByLabel(w.from).fill(DAY[lang])
    await form.getByRole('button', { name: w.save }).click()
    await expect(page.getByText(w.saved)).toBeVisible()
    const { data } = await call<{ data: { id: number; excluded_tenants: { company: string }[] }[] }>(
      page,
      'GET',
      `/api/admin/price-lists?filter[name]=${encodeURIComponent(name)}`,
    )
    expect(data[0]?.excluded_tenants.map(({ company }) => company)).toEqual([EXCEPT])
    await page.goto(`/priceLists/${data[0]?.id}/audience`)
    await expect(page.getByText(new RegExp(`${lang === 'de' ? 'Ausgenommen' : 'Excluded'}: ${EXCEPT}`))).toBeVisible()
    await inspect(page)
    await call(page, 'POST', `/api/admin/price-lists/${data[0]?.id}/archive`, {})
  })
}
