import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { expectImpact, impactOf, saveWithImpact, undoWithImpact } from './impact'
import { keepMessage } from './message'
import { expect, signIn, test } from './server'

const OWNER = 'leitung@nordstahl.example'
const NAME = `E2E Sommerpreise ${Date.now().toString(36)}`
const NEXT = `${NAME} (neu)`

/** Numbers of articles, as copied from a spreadsheet. */
const numbers = (page: Page, count: number) =>
  page.evaluate(async (size) => {
    const headers = { authorization: `Bearer ${localStorage.getItem('serviceToken')}` }
    const answer = await fetch(`/api/admin/articles?filter[article_number_starts_with]=HEB&page[size]=${size}`, { headers })
    return ((await answer.json()).data as { article_number: string }[]).map((row) => row.article_number)
  }, count)

// an unknown number is refused
test.use({ expectedStatuses: [422] })

test('a price list is created, filled by clipboard and keyboard, followed by a higher version, and archived', async ({ page, context }) => {
  test.slow()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, OWNER)
  const main = page.getByRole('main')
  const cellIn = (grid: string) => (row: number, column: number) =>
    page.getByRole('grid', { name: grid }).locator(`[data-row="${row}"] [data-column="${column}"]`)

  await test.step('a list without prices', async () => {
    await page.goto('/priceLists')
    await expect(main.getByRole('link', { name: 'Neue Preisliste' })).toBeVisible()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog')
    await form.getByLabel('Name *').fill(NAME)
    await form.getByLabel('Gültig ab, Tag').fill('01.01.2098')
    await form.getByLabel('Geltung *').selectOption('global')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
    // it opens on its prices
    await expect(page.getByText('Noch keine Preise')).toBeVisible()
  })

  const [first = '', second = '', third = ''] = await numbers(page, 3)
  await test.step('prices with their articles, pasted from a German spreadsheet', async () => {
    await main.getByRole('button', { name: 'Preise einfügen …' }).first().click()
    const cell = cellIn('Preise einfügen')
    await expect(cell(0, 0)).toBeFocused()
    await page.evaluate(
      (text) => navigator.clipboard.writeText(text),
      `${first}\t1.234,50 €\r\n${second}\t92,50\t100\tkg\r\nGIBT-ES-NICHT\t1.250,00\r\n`,
    )
    await page.keyboard.press('Control+V')
    await expect(cell(0, 1)).toContainText('1.234,50')
    await page.getByRole('button', { name: 'In die Liste übernehmen' }).click()
    await expect(cell(2, 0)).toHaveAttribute('aria-invalid', 'true')
    await inspect(page)
    await cell(2, 0).click()
    await page.keyboard.type(third)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'In die Liste übernehmen' }).click()
    await expect(page.getByText('3 Preise wurden gespeichert')).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await test.step('one price by keyboard, filled down, undone, saved', async () => {
    const cell = cellIn('Preise')
    await cell(0, 2).click()
    await page.keyboard.type('1240')
    await page.keyboard.press('Enter')
    await cell(0, 2).click()
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+D')
    await expect(cell(1, 2)).toContainText('1.240,00')
    await page.keyboard.press('Control+Z')
    await expect(cell(1, 2)).toContainText('92,50')
    await main.getByRole('button', { name: 'Speichern' }).click()
    await expectImpact(impactOf(page))
    await inspect(page)
    await page.keyboard.press('Escape')
    await expect(impactOf(page)).toBeHidden()
    // by keyboard only: Enter confirms
    await cell(0, 2).click()
    await page.keyboard.press('Control+S')
    await expectImpact(impactOf(page))
    await expect(impactOf(page).getByRole('button', { name: 'Speichern' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('1 Preis wurde gespeichert')).toBeVisible()
  })

  await test.step('all of them together, undone as a whole', async () => {
    const cell = cellIn('Preise')
    await main.getByRole('button', { name: 'Preise ändern …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Preise ändern …' })
    await dialog.getByLabel('Um *').fill('5')
    await dialog.getByRole('button', { name: 'Preise ändern' }).click()
    await keepMessage(page)
    await expect(cell(0, 2)).toContainText('1.302,00')
    await undoWithImpact(page)
    await expect(cell(0, 2)).toContainText('1.240,00')
    await expect(cell(1, 2)).toContainText('92,50')
  })

  await test.step('a new version with 3 % more, whose difference is previewed', async () => {
    await main.getByRole('button', { name: 'Neue Version ab …' }).click()
    const dialog = page.getByRole('dialog', { name: /Neue Version/ })
    await dialog.getByLabel('Gültig ab, Tag').fill('01.07.2098')
    await dialog.getByLabel('Änderung *').selectOption('percent')
    await dialog.getByLabel('Um *').fill('3')
    await expect(dialog.getByText(/^3 Preise geändert · mittlere Änderung \+3,00\s%$/)).toBeVisible()
    await expect(dialog.getByRole('row', { name: new RegExp(`${first}.*1\\.240,00.*1\\.277,20`) })).toBeVisible()
    await inspect(page)
    await dialog.getByRole('button', { name: 'Neue Version anlegen' }).click()
    await saveWithImpact(page)
    await expect(page.getByRole('heading', { level: 1, name: NEXT })).toBeVisible()
    await expect(cellIn('Preise')(0, 2)).toContainText('1.277,20')
  })

  await test.step('the timeline has neither gap nor overlap between them', async () => {
    await cellIn('Preise')(0, 5).click()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Zeitachse dieses Artikels' }).click()
    const table = page.getByRole('table', { name: 'Zeitachse der Preislisten' })
    const row = (name: string) => table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
    await expect(row(NAME).first()).toContainText('01.07.2098')
    await expect(row(NEXT).first()).toContainText('01.07.2098')
    await inspect(page)
  })

  await test.step('the old one is archived', async () => {
    await page.goto('/priceLists')
    await main.getByRole('searchbox').fill(NAME)
    await page.getByRole('button', { name: `Aktionen für ${NAME}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Archivieren' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('wird nie gültig')
    // shows the impact on prices
    await expect(question).toContainText(/von [\d.]+ Artikeln|Kein Preis/)
    await question.getByRole('button', { name: 'Archivieren' }).click()
    await expect(main.getByRole('link', { name: NAME, exact: true })).toBeHidden()
    await main.getByRole('button', { name: 'Archiv' }).click()
    await main.getByRole('link', { name: NAME, exact: true }).click()
    await expect(page.getByText(/ist abgelaufen und lässt sich nicht mehr ändern/)).toBeVisible()
    await expect(main.getByRole('button', { name: 'Speichern' })).toBeHidden()
  })
})
