import { readFileSync } from 'node:fs'
import type { Download, Page } from '@playwright/test'
import { expect, signIn, test } from './server'
import { sheetOf } from './xlsx'

const viewsOf = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const pick = (page: Page, item: string) => page.getByRole('menuitem', { name: item }).click()

test('a view is saved, changed, shared, made the default, and deleted', async ({ page, browser }) => {
  // starts two browsers
  test.slow()
  const name = `Schwere ${Date.now().toString(36)}`
  await signIn(page)
  await page.goto('/materials?sort=-density&f.density.gte=7.9')
  const first = page.locator('[data-row-link]').first()
  await expect(first).toBeVisible()
  const heaviest = (await first.textContent()) ?? ''
  await viewsOf(page, 'Ansichten').click()
  await pick(page, 'Als neue Ansicht speichern')
  await page.getByLabel('Name der Ansicht').fill(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/view=\d+/)
  await expect(viewsOf(page, `Ansicht ${name}`)).toBeVisible()

  await page.getByRole('combobox', { name: 'Pro Seite' }).selectOption('20')
  await viewsOf(page, `Ansicht ${name}, geändert`).click()
  await pick(page, `Änderungen in „${name}“ speichern`)
  await expect(page.getByText(`Die Ansicht „${name}“ wurde gespeichert.`).last()).toBeVisible()
  await viewsOf(page, `Ansicht ${name}`).click()
  await pick(page, 'Für alle freigeben')
  await expect(page.getByText(`„${name}“ ist jetzt für alle sichtbar.`)).toBeVisible()
  await viewsOf(page, `Ansicht ${name}`).click()
  await pick(page, 'Als meine Startansicht')
  await expect(page.getByText(`Die Liste beginnt für Sie jetzt mit „${name}“.`)).toBeVisible()

  await page.goto('/materials')
  await expect(page).toHaveURL(/size=20.*sort=-density.*f\.density\.gte=7\.9/)
  await expect(first).toHaveText(heaviest)

  const other = await browser.newContext()
  const colleague = await other.newPage()
  await signIn(colleague, 'leitung@nordstahl.example')
  await colleague.goto('/materials')
  await expect(colleague).not.toHaveURL(/view=/)
  await viewsOf(colleague, 'Ansichten').click()
  await colleague.getByRole('menuitemradio', { name }).click()
  await expect(colleague.locator('[data-row-link]').first()).toHaveText(heaviest)
  await viewsOf(colleague, `Ansicht ${name}`).click()
  await expect(colleague.getByRole('menuitem', { name: 'Als meine Startansicht' })).toBeVisible()
  await expect(colleague.getByRole('menuitem', { name: 'Ansicht löschen' })).toBeHidden()
  await other.close()

  await viewsOf(page, `Ansicht ${name}`).click()
  await pick(page, 'Ansicht löschen')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click()
  await expect(viewsOf(page, 'Ansichten')).toBeVisible()
  await page.goto('/materials')
  await expect(first).toBeVisible()
  await expect(page).not.toHaveURL(/\?/)
})

/** Cells of a list as texts; the last column has the actions. */
async function shownIn(page: Page, title: string) {
  const table = page.getByRole('table', { name: title })
  const heads = (await table.getByRole('columnheader').allTextContents()).map((head) => head.trim())
  const tableRows = await table
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.querySelectorAll('td, th')].map((cell) => cell.textContent?.trim() ?? '')))
  return { tableRows, column: (name: string) => tableRows.map((cells) => cells[heads.findIndex((head) => head.startsWith(name))] ?? '') }
}

function linesOf(csv: Buffer): string[][] {
  const text = csv.toString('utf8')
  expect(text.charCodeAt(0)).toBe(0xfeff)
  const lines = text.slice(1).trimEnd().split('\r\n')
  return lines.map((line) => line.split(';'))
}

const cellsOf = (rows: string[][], name: string) => rows.slice(1).map((cells) => cells[rows[0]?.indexOf(name) ?? -1] ?? '')

test('exports contain what the list shows, as CSV and as XLSX', async ({ page }) => {
  await signIn(page)
  await page.goto('/materials?sort=-density&f.name=S3')
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const { tableRows, column } = await shownIn(page, 'Werkstoffe')
  expect(tableRows.length).toBeGreaterThan(3)

  const save = async (format: string): Promise<Download> => {
    await page.getByRole('button', { name: 'Exportieren' }).click()
    const download = page.waitForEvent('download')
    await pick(page, format)
    return download
  }
  const csv = await save('CSV')
  expect(csv.suggestedFilename()).toMatch(/^Werkstoffe-\d{4}-\d\d-\d\d.*\.csv$/)
  const lines = linesOf(readFileSync(await csv.path()))
  for (const name of ['Name', 'Werkstoffnummer', 'Dichte (kg/dm³)']) expect(cellsOf(lines, name)).toEqual(column(name))

  const rows = sheetOf(readFileSync(await (await save('Excel (XLSX)')).path()))
  for (const name of ['Name', 'Werkstoffnummer']) expect(cellsOf(rows, name)).toEqual(column(name))
  // numbers are exported as numbers
  expect(cellsOf(rows, 'Dichte (kg/dm³)')).toEqual(column('Dichte').map((density) => density.replace(',', '.')))
})

test('users and roles are exported as their lists show them', async ({ page }) => {
  await signIn(page, 'leitung@nordstahl.example')
  for (const { path, title, columns } of [
    { path: '/users', title: 'Benutzer', columns: ['E-Mail', 'Rollen', 'Status'] },
    { path: '/roles', title: 'Rollen', columns: ['Name', 'Mandant', 'Benutzer'] },
  ]) {
    await page.goto(path)
    await expect(page.locator('[data-row-link]').first()).toBeVisible()
    const { column } = await shownIn(page, title)
    for (const format of ['CSV', 'Excel (XLSX)']) {
      await page.getByRole('button', { name: 'Exportieren' }).click()
      const saved = page.waitForEvent('download')
      await pick(page, format)
      const file = readFileSync(await (await saved).path())
      const rows = format === 'CSV' ? linesOf(file) : sheetOf(file)
      for (const name of columns) expect(cellsOf(rows, name)).toEqual(column(name))
    }
  }
})

test.describe('two users who edit the same record', () => {
  test.use({ expectedStatuses: [409] })

  test('are asked about fields that both have changed, and lose nothing else', async ({ page, browser }) => {
    test.slow()
    const name = `E2E Konflikt ${Date.now().toString(36)}`
    await signIn(page)
    await page.goto(`/materials/new?f.search=${encodeURIComponent(name)}`)
    const form = page.getByRole('dialog')
    await form.getByLabel('Name *').fill(name)
    await form.getByLabel('Dichte').fill('7,8')
    await page.keyboard.press('Control+Enter')
    await expect(form).toBeHidden()
    await page.getByRole('link', { name, exact: true }).click()
    await form.getByLabel('Dichte').fill('7,85')
    await form.getByLabel('Anzeigename').fill('Meiner')
    const address = page.url()

    const other = await browser.newContext()
    const colleague = await other.newPage()
    await signIn(colleague)
    await colleague.goto(address)
    const theirs = colleague.getByRole('dialog')
    await theirs.getByLabel('Dichte').fill('7,9')
    await theirs.getByLabel('Werkstoffnummer').fill('1.9998')
    await theirs.getByRole('button', { name: 'Speichern' }).click()
    await expect(theirs).toBeHidden()
    await other.close()

    await form.getByRole('button', { name: 'Speichern' }).click()
    const conflict = page.getByRole('dialog', { name: 'Der Eintrag wurde zwischenzeitlich geändert' })
    await expect(conflict.getByRole('radiogroup')).toHaveCount(1)
    await expect(conflict.getByLabel('Ihre Eingabe: 7,85')).toBeChecked()
    await expect(conflict.getByRole('listitem')).toHaveText(['Werkstoffnummer: 1.9998'])
    await page.keyboard.press('Escape')
    await expect(conflict).toBeHidden()
    await expect(form.getByLabel('Anzeigename')).toHaveValue('Meiner')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await conflict.getByLabel('Gespeicherter Stand: 7,9').check()
    await conflict.getByRole('button', { name: 'Auswahl speichern' }).click()
    await expect(form).toBeHidden()
    for (const part of ['1.9998', 'Meiner', '7,9']) await expect(page.getByRole('row').filter({ hasText: name })).toContainText(part)

    await page.getByRole('button', { name: `Aktionen für ${name}` }).click()
    await pick(page, 'Löschen')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click()
    await expect(page.getByText('Keine Treffer')).toBeVisible()
  })
})

test('a column is resized by dragging, and fits its content again after a double click', async ({ page }) => {
  await signIn(page)
  await page.goto('/materials')
  const head = page.locator('th[data-column]').nth(1)
  const edge = head.locator('[data-resize]')
  await expect(page.locator('[data-row-link]').first()).toBeVisible()
  const width = async () => Math.round((await head.boundingBox())?.width ?? 0)
  // text becomes wider or narrower with its font
  await page.evaluate(() => document.fonts.ready)
  const natural = await width()
  const box = await edge.boundingBox()
  if (!box) throw new Error('no edge')
  const at = { x: box.x + box.width - 2, y: box.y + box.height / 2 }
  await page.mouse.move(at.x, at.y)
  await page.mouse.down()
  await page.mouse.move(at.x + 90, at.y, { steps: 4 })
  await page.mouse.up()
  await expect.poll(width).toBe(natural + 90)
  await edge.dblclick()
  await expect.poll(width).toBe(natural)
})
