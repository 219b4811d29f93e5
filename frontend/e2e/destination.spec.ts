import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { expect, signIn, test } from './server'

const DEPOT = 'Linz'

async function chooseDestination(page: Page) {
  const field = page.getByRole('main').getByLabel('Lieferung nach')
  await field.fill(DEPOT)
  await page.getByRole('option', { name: DEPOT, exact: true }).click()
  await expect(field).toHaveValue(DEPOT)
  await expect(page).toHaveURL(/[?&]to=\d+/)
}

/** Follows a displayed date, and expects the page that explains it to show the same arrival. */
async function followDate(page: Page, within = page.getByRole('main')) {
  const link = within.getByRole('link', { name: /Liefertermin erklären/ }).first()
  const moment = await link.locator('time').getAttribute('datetime')
  await link.click()
  await expect(page).toHaveURL(/\/delivery-date\?/)
  const time = new Date(moment ?? '')
  const day = time.toLocaleDateString('de-DE', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'Europe/Berlin',
  })
  const clock = time.toLocaleTimeString('de-DE', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' })
  await expect(page.getByRole('main').getByText(new RegExp(`^Ankunft in .*${DEPOT}.*: ${day}( \\d{4})?, ${clock}$`))).toBeVisible()
}

test('a stock, its list and the calculator show arrival dates, each with an explanation', async ({ page }) => {
  await signIn(page, 'leitung@nordstahl.example')
  await test.step('in the list of stocks', async () => {
    await page.goto('/stocks')
    await page.getByRole('button', { name: 'Spalten und Zeilenhöhe' }).click()
    await page.getByRole('checkbox', { name: 'Spalte „Liefertermin“ anzeigen' }).check()
    await page.keyboard.press('Escape')
    await chooseDestination(page)
    await inspect(page)
    await followDate(page)
  })
  await test.step('after going back the destination is still chosen, in a stock too', async () => {
    await page.goBack()
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: /Liefertermin erklären/ }) })
    await expect(page.getByRole('main').getByLabel('Lieferung nach')).toHaveValue(DEPOT)
    await row.first().getByRole('link').first().click()
    await expect(page).toHaveURL(/\/stocks\/\d+/)
    const record = page.getByRole('dialog')
    await expect(record.getByLabel('Lieferung nach')).toHaveValue(DEPOT)
    await inspect(page)
    await followDate(page, record)
  })
  await test.step('in the price calculator', async () => {
    await page.goto('/price-calculator?line=2_3_piece')
    await expect(page.getByRole('main').getByLabel('Lieferung nach')).toHaveValue(DEPOT)
    await followDate(page)
  })
})
