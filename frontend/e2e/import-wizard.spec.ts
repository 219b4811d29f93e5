import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { expect, signIn, test } from './server'

/** File with unknown headings, an unused column, and a row with an unknown warehouse. */
const FILE = ['Teil;Ort;Anzahl;Farbe', 'HEB-200-S235JR-12.1;HH;1.250,5;rot', 'HEB-200-S235JR-12.1;XX;3;rot'].join('\r\n')

const TEXTS = {
  de: {
    open: 'Datei importieren',
    content: 'Inhalt',
    columns: 'Spalten der Datei',
    missing: /^Es fehlt eine Spalte für/,
    unused: 'Eine Spalte wird nicht verwendet: Farbe',
    preview: 'Vorschau',
    groups: 'Fehler nach Spalte und Art',
    apply: 'Jetzt importieren',
    partial: 'Teilweise erfolgreich',
    rows: 'Zeilen ansehen',
    result: 'Ergebnis der Zeilen',
    refused: 'Abgelehnt: 1',
    remembered: /^Zugeordnet wie beim Import vom/,
    forget: 'Zuordnung vergessen',
    fields: ['Artikelnummer', 'Lager', 'Menge'],
  },
  en: {
    open: 'Import a file',
    content: 'Content',
    columns: 'Columns of the file',
    missing: /^A column is missing for/,
    unused: 'One column is not used: Farbe',
    preview: 'Preview',
    groups: 'Errors by column and kind',
    apply: 'Import now',
    partial: 'Partly successful',
    rows: 'Look at the rows',
    result: 'Row results',
    refused: 'Refused: 1',
    remembered: /^Mapped as in the import of/,
    forget: 'Forget mapping',
    fields: ['Article number', 'Warehouse', 'Quantity'],
  },
} as const

async function choose(page: Page, content: string) {
  const type = page.getByRole('dialog').getByLabel(content).first()
  await type.selectOption('Stock')
  await page.locator('input[type=file]').setInputFiles({ name: 'bestand.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
}

for (const language of ['de', 'en'] as const) {
  const texts = TEXTS[language]
  test(`a file with unknown columns is mapped, previewed and imported by keyboard (${language})`, async ({ page }) => {
    test.slow()
    await signIn(page, 'leitung@nordstahl.example', language)
    await page.goto('/imports/new')
    const form = page.getByRole('dialog', { name: texts.open })
    await choose(page, texts.content)
    const columns = form.getByRole('region', { name: texts.columns })

    await expect(columns.getByText(texts.missing).first()).toBeVisible()
    for (const [at, column] of ['Teil', 'Ort', 'Anzahl'].entries()) {
      const field = columns.getByLabel(column, { exact: true })
      await field.focus()
      await field.selectOption({ label: texts.fields[at] ?? '' })
    }
    await expect(columns.getByText(texts.missing)).toHaveCount(0)
    await expect(columns.getByText(texts.unused)).toBeVisible()
    await inspect(page)

    await form.getByRole('button', { name: texts.preview }).press('Enter')
    await expect(form.getByRole('table', { name: texts.groups })).toContainText('Ort')
    await inspect(page)
    await form.getByRole('button', { name: texts.apply }).press('Enter')
    await expect(page.getByRole('dialog').getByText(texts.partial)).toBeVisible()

    await page.getByRole('link', { name: texts.rows }).press('Enter')
    const result = page.getByRole('table', { name: texts.result })
    await expect(result.getByRole('row').nth(1)).toContainText('HEB-200-S235JR-12.1')
    await page.getByRole('button', { name: texts.refused }).press('Enter')
    await expect(result.getByRole('row').nth(1)).toContainText('Ort')
    await inspect(page)

    await test.step('the next file with the same columns needs no mapping', async () => {
      await page.goto('/imports/new')
      await choose(page, texts.content)
      await expect(columns.getByText(texts.remembered)).toBeVisible()
      await columns.getByRole('button', { name: texts.forget }).press('Enter')
      await expect(columns.getByText(texts.missing).first()).toBeVisible()
    })
  })
}
