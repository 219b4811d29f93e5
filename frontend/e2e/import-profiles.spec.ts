import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { expect, signIn, test } from './server'

const NUMBER = 'HEB-200-S235JR-12.1'

/** Chooses settings for stocks, and a file with these lines. */
async function choose(page: Page, lines: string[]) {
  const form = page.getByRole('dialog', { name: 'Datei importieren' })
  await form.getByLabel('Inhalt').first().selectOption('Stock')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'bestand.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
  return form
}

test('a profile is saved, reused, exported and loaded, by keyboard', async ({ page, expectedStatuses }) => {
  expectedStatuses.push(422)
  test.slow()
  await signIn(page, 'leitung@nordstahl.example', 'de')
  await page.goto('/imports/new')
  const form = await choose(page, ['Teil;Vorrat', `${NUMBER};17`, 'Preise freibleibend'])
  const columns = form.getByRole('region', { name: 'Spalten der Datei' })
  await expect(form.getByText('Eine Anmerkung unter der Tabelle wird ausgelassen: Preise freibleibend')).toBeVisible()

  await test.step('submitting an incomplete form moves the focus to the missing value', async () => {
    await form.getByRole('button', { name: 'Importieren' }).press('Enter')
    await expect(columns.locator('[data-problem]')).toBeFocused()
  })

  await columns.getByLabel('Teil', { exact: true }).selectOption({ label: 'Artikelnummer' })
  await columns.getByLabel('Vorrat', { exact: true }).selectOption({ label: 'Menge' })
  await columns.getByRole('textbox', { name: 'Lager', exact: true }).fill('HH')
  await form.getByRole('button', { name: 'Als Profil speichern' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Importprofil speichern' })
  await dialog.getByLabel('Name').fill('Werk Nord')
  await inspect(page)
  await dialog.getByLabel('Name').press('Enter')
  await expect(form.getByLabel('Importprofil', { exact: true })).toHaveValue(/\d+/)

  await test.step('a second file uses it', async () => {
    await page.goto('/imports/new')
    await choose(page, ['Teil;Vorrat', `${NUMBER};18`])
    await form.getByLabel('Importprofil', { exact: true }).selectOption({ label: 'Werk Nord' })
    await expect(columns.getByText('2 von 2 Spalten erkannt')).toBeVisible()
    await expect(columns.getByRole('textbox', { name: 'Lager', exact: true })).toHaveValue('HH')
    await inspect(page)
    await form.getByRole('button', { name: 'Importieren' }).press('Enter')
    await expect(page.getByRole('dialog').getByText('Erfolgreich', { exact: true })).toBeVisible()
  })

  await test.step('a file that lacks a column is reported', async () => {
    await page.goto('/imports/new')
    await choose(page, ['Teil;Menge', `${NUMBER};19`])
    await form.getByLabel('Importprofil', { exact: true }).selectOption({ label: 'Werk Nord' })
    await expect(columns.getByText('Die Datei hat eine Spalte des Profils nicht: Vorrat.')).toBeVisible()
  })

  await test.step('it is exported, deleted and loaded again', async () => {
    await page.goto('/import-profiles')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Als JSON sichern' }).press('Enter')
    const file = await (await saving).path()
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ profiles: [{ name: 'Werk Nord', type: 'Stock' }] })

    await page.getByRole('button', { name: 'JSON einlesen' }).press('Enter')
    const load = page.getByRole('dialog', { name: 'Importprofile einlesen' })
    await load
      .locator('input[type=file]')
      .setInputFiles({ name: 'profile.json', mimeType: 'application/json', buffer: await readFile(file) })
    await load.getByRole('button', { name: 'Einlesen' }).press('Enter')
    await expect(load.getByText(/^Profil 1 „Werk Nord“, Name: /)).toBeVisible()
    await inspect(page)
    await load.getByRole('checkbox', { name: 'Profile mit gleichem Namen ersetzen' }).press('Space')
    await load.getByRole('button', { name: 'Einlesen' }).press('Enter')
    await expect(page.getByText('Importprofile eingelesen: 0 neu, 1 ersetzt')).toBeVisible()
    await page.getByRole('link', { name: 'Werk Nord' }).click()
    await expect(page.getByRole('dialog').getByRole('row', { name: 'Vorrat Menge' })).toBeVisible()
    await inspect(page)
  })
})
