import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { expect, signIn, test } from './server'

const ARTICLE = 'IPE-80-S235JR-12.1'
const REMNANT = `${ARTICLE}, DU, 4321 mm`

const row = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('link', { name: ARTICLE, exact: true }), hasText: '4.321' })

/** Types into a field that picks a record, and picks the match on Enter. */
async function pick(page: Page, text: string) {
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

async function tabTo(page: Page, label: RegExp) {
  const field = page.getByRole('dialog').getByLabel(label).first()
  for (let at = 0; at < 20; at++) {
    if (await field.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${label}`)
}

test('a day of stock keeping, by keyboard', async ({ page }) => {
  test.slow()
  await signIn(page, 'leitung@nordstahl.example')
  await page.goto('/stocks')
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  await inspect(page)

  await test.step('a remnant is received', async () => {
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'Neuer Bestand' })
    await tabTo(page, /^Artikel/)
    await pick(page, ARTICLE)
    await expect(form.getByLabel(/^Artikel/).first()).toHaveValue(/^IPE-80-S235JR-12\.1 · /)
    await tabTo(page, /^Lager/)
    await pick(page, 'du')
    await expect(form.getByLabel(/^Lager/).first()).toHaveValue(/Duisburg/)
    await tabTo(page, /^Menge/)
    await page.keyboard.type('8,642')
    await tabTo(page, /^Länge/)
    await page.keyboard.type('4321')
    await inspect(page)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(`„${REMNANT}“ wurde gespeichert`)).toBeVisible()
    await expect(form).toBeHidden()
  })

  await test.step('it is found, and counted again in another unit', async () => {
    await page.keyboard.press('/')
    await page.keyboard.type(ARTICLE)
    await page.getByRole('button', { name: 'Spalten und Zeilenhöhe' }).click()
    await page.getByRole('checkbox', { name: /Länge \[mm\]/ }).check()
    await page.keyboard.press('Escape')
    await expect(row(page)).toContainText('8,642')
    await row(page).getByRole('link').focus()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: REMNANT })
    await tabTo(page, /^Menge/)
    await page.keyboard.press('Control+A')
    await page.keyboard.type('432,1')
    await page.keyboard.press('Tab')
    await form.getByLabel('Einheit: Menge').selectOption('cm')
    await expect(form.getByText(/432,1\scm = /)).toBeVisible()
    await page.keyboard.press('Control+Enter')
    await expect(form).toBeHidden()
    await expect(row(page)).toContainText('4,321')
  })

  await test.step('old stocks are filtered', async () => {
    await page.getByRole('button', { name: 'Filter', exact: true }).focus()
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: 'Filter' })
    await panel.getByLabel('Feld').selectOption('updated_at')
    await panel.getByLabel('Bedingung').selectOption({ index: 1 })
    const today = new Intl.DateTimeFormat('de-DE', { day: '2-digit', month: '2-digit', year: 'numeric' }).format(new Date())
    for (const date of await panel.getByRole('textbox').all()) await date.fill(today)
    await page.keyboard.press('Enter')
    await expect(panel).toBeHidden()
    await expect(page).toHaveURL(/f\.updated_at/)
    await inspect(page)
  })

  await test.step('the last piece is sold', async () => {
    await page.goto(`/stocks?f.search=${ARTICLE}`)
    const actions = page.getByRole('button', { name: `Aktionen für ${REMNANT}` })
    await actions.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Löschen' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(`„${REMNANT}“ wurde gelöscht`)).toBeVisible()
    await expect(actions).toHaveCount(0)
    // the focus stays in the list
    await expect(page.locator('[data-row-link]').first()).toBeFocused()
  })
})

test('a phone shows quantity, warehouse, price and age of a stock', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, 'leitung@nordstahl.example')
  await page.goto('/stocks?f.availability_type=quantity')
  const cards = page.getByRole('list', { name: 'Bestände' }).getByRole('listitem')
  const card = cards.filter({ hasText: '€' }).first()
  for (const fact of ['Bezeichnung', 'Lager', 'Menge', 'Stand Menge', 'Externer Preis']) {
    await expect(card.getByText(fact, { exact: true })).toBeVisible()
  }
  await inspect(page)
})
