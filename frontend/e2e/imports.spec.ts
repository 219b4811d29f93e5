import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { EXAMPLE_LIST, expect, signIn, test } from './server'

const form = (page: Page) => page.getByRole('dialog', { name: 'Datei importieren' })

async function choose(page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }, name?: string) {
  await page.locator('input[type=file]').setInputFiles(file)
  if (name) await form(page).getByLabel('Name', { exact: true }).fill(name)
  await expect(form(page).getByText(/Spalten erkannt$/)).toBeVisible()
}

async function upload(page: Page, file: string | { name: string; mimeType: string; buffer: Buffer }, name?: string) {
  await choose(page, file, name)
  await form(page).getByRole('button', { name: 'Importieren' }).click()
}

test('a list is previewed, imported, corrected and imported again', async ({ page }) => {
  test.slow()
  await signIn(page)
  await page.goto('/imports')
  await page.getByRole('link', { name: 'Datei importieren' }).first().click()
  await expect(form(page).getByText('Für welchen Mandanten?')).toBeVisible()
  await form(page).getByLabel('Mandant wählen:').click()
  await page.getByRole('option', { name: 'Nordstahl Handel GmbH' }).click()

  const detail = page.getByRole('dialog', { name: 'Lieferant Nord' })
  await test.step('a preview writes nothing', async () => {
    await choose(page, EXAMPLE_LIST, 'Lieferant Nord')
    await form(page).getByRole('button', { name: 'Vorschau' }).click()
    await expect(form(page).getByText(/^Probelauf:/)).toBeVisible()
    await expect(form(page).getByRole('term').filter({ hasText: 'Würden angelegt' }).locator('xpath=following-sibling::dd')).toHaveText(
      '11',
    )
    await expect(form(page).getByRole('table', { name: 'Fehler nach Spalte und Art' })).toContainText('Artikeltyp')
  })

  // the file need not be chosen again
  await form(page).getByRole('button', { name: 'Jetzt importieren' }).click()
  await expect(page.getByText('„Lieferant Nord“ wurde importiert, einige Zeilen wurden abgelehnt')).toBeVisible()
  await expect(detail.getByRole('heading', { name: '11 abgelehnte Zeilen' })).toBeVisible()
  await expect(
    detail.getByRole('table', { name: '11 abgelehnte Zeilen' }).getByRole('row').filter({ hasText: 'Trapezblech' }),
  ).toContainText('Artikeltyp')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    detail.getByRole('button', { name: 'Fehlerdatei herunterladen' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
  const refused = await readFile(await download.path())
  expect(refused.toString('latin1')).toContain('Trapezblech')

  await test.step('corrected, the same file goes through', async () => {
    await detail.getByRole('link', { name: 'Korrigierte Datei hochladen' }).click()
    await expect(form(page).getByLabel('Name', { exact: true })).toHaveValue('Lieferant Nord')
    const lines = refused.toString('latin1').split('\r\n')
    // corrects one of the refused rows: HEB 1000 does not exist, HEB 300 does
    const row = lines.find((line) => line.includes(';1000;'))?.replace(';1000;', ';300;') ?? ''
    const corrected = [lines[0], row, ''].join('\r\n')
    await upload(page, { name: download.suggestedFilename(), mimeType: 'text/csv', buffer: Buffer.from(corrected, 'latin1') })
    await expect(page.getByText('„Lieferant Nord“ wurde erfolgreich importiert')).toBeVisible()
    await expect(page.getByRole('dialog', { name: 'Lieferant Nord' }).getByText('Erfolgreich', { exact: true })).toBeVisible()
  })

  await test.step('an identical file is announced', async () => {
    await page.goto('/imports/new?tenantId=1')
    await upload(page, EXAMPLE_LIST)
    await expect(page.getByRole('dialog').getByText(/identisch mit der des Imports Nr\./)).toBeVisible()
  })

  await test.step('list and bell show them', async () => {
    await page.goto('/imports')
    await expect(page.getByRole('row').filter({ hasText: 'Lieferant Nord' })).toHaveCount(2)
    await page.getByRole('button', { name: /^Importe/ }).click()
    await expect(page.getByRole('dialog', { name: 'Importe' }).getByRole('link', { name: 'Lieferant Nord' })).toHaveCount(2)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Probeläufe' }).click()
    await page.getByRole('row').filter({ hasText: 'Probelauf' }).getByRole('link', { name: 'Lieferant Nord' }).click()
    await expect(detail.getByText('Probelauf', { exact: true })).toBeVisible()
  })
})

test('a tenant matches the numbers of other systems', async ({ page }) => {
  await signIn(page, 'leitung@nordstahl.example')
  await page.goto('/imports')
  await page.getByRole('link', { name: 'Datei importieren' }).first().click()
  await form(page).getByLabel('Inhalt').selectOption('Matching')
  const rows = ['Artikelnummer;Externe Artikelnummer;Lager;Externe Lagerkennung', 'HEB-200-S235JR-12.1;0009001;DU;0100', 'HEB-2;0009002;;']
  await upload(page, { name: 'zuordnungen.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) }, 'Nummern')
  const detail = page.getByRole('dialog', { name: 'Nummern' })
  await expect(detail.getByText('Teilweise erfolgreich')).toBeVisible()
  await expect(
    detail.getByRole('table', { name: '1 abgelehnte Zeile' }).getByRole('row').filter({ hasText: 'Artikelnummer' }),
  ).toContainText('„HEB-2“ gibt es nicht')
  await expect(detail.getByRole('link', { name: 'Artikel dieses Imports' })).toHaveCount(0)
})

test('an import is undone and redone', async ({ page }) => {
  await signIn(page, 'leitung@nordstahl.example')
  await page.goto('/imports/new')
  await form(page).getByLabel('Inhalt').selectOption('Matching')
  const rows = ['Artikelnummer;Externe Artikelnummer', 'HEB-200-S235JR-12.1;U-1', 'HEB-200-S235JR-12.1;U-2']
  await upload(page, { name: 'nummern.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) }, 'Falsche Liste')
  const detail = page.getByRole('dialog', { name: 'Falsche Liste' })
  await expect(detail.getByText('Erfolgreich', { exact: true })).toBeVisible()

  await detail.getByRole('button', { name: 'Import rückgängig machen …' }).press('Enter')
  const question = page.getByRole('dialog', { name: '„Falsche Liste“ rückgängig machen?' })
  await expect(
    question.getByRole('term').filter({ hasText: 'Wird rückgängig gemacht' }).locator('xpath=following-sibling::dd'),
  ).toContainText('2')
  await question.getByRole('button', { name: 'Rückgängig machen' }).press('Enter')
  await expect(page.getByText('„Falsche Liste“ wurde rückgängig gemacht')).toBeVisible()
  await expect(detail.getByText(/^Dieser Import macht den Import/)).toBeVisible()
  await expect(detail.getByRole('row').filter({ hasText: 'U-1' })).toContainText('Gelöscht')
  await detail.getByRole('link', { name: /ansehen$/ }).click()
  await expect(detail.getByText(/^Dieser Import wurde mit dem Import Nr\. \d+ rückgängig gemacht/)).toBeVisible()

  // and redone
  await detail.getByRole('link', { name: /^Import Nr\./ }).click()
  await detail.getByRole('button', { name: 'Import wiederherstellen …' }).click()
  await page.getByRole('dialog', { name: '„Falsche Liste“ wiederherstellen?' }).getByRole('button', { name: 'Wiederherstellen' }).click()
  await expect(detail.getByRole('row').filter({ hasText: 'U-1' })).toContainText('Wieder angelegt')
})
