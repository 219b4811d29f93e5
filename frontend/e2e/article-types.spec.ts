import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, signIn, test } from './server'

const form = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

async function open(page: Page, list: string, name: string) {
  await page.goto(list)
  await page.getByRole('link', { name, exact: true }).click()
  return form(page, name)
}

test.beforeEach(({ page }) => signIn(page))

test.describe('a template of articles', () => {
  test.use({ expectedStatuses: [409, 422] })

  test('is changed together with them after a confirmation', async ({ page }) => {
    const type = await open(page, '/articleTypes', 'Sechskantstahl')
    const number = type.getByLabel('Vorlage für die Nummer')
    await number.fill((await number.inputValue()).replace('SK-', 'SKT-'))
    await type.getByRole('button', { name: 'Speichern' }).click()
    const question = form(page, '„Sechskantstahl“ mit den Artikeln ändern?')
    await expect(question.getByText('54 Artikel geändert')).toBeVisible()
    await expect(question.locator('mark').first()).toHaveText('T')
    await expect(question.getByRole('button', { name: 'Zurück zum Formular' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(question.getByRole('button', { name: '54 Artikel ändern' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByText('„Sechskantstahl“ wurde gespeichert')).toBeVisible()
    await page.goto('/articles?f.article_number=SKT-')
    await expect(page.getByText('1–40 von 54')).toBeVisible()

    // other tests rely on the numbers of these articles
    const again = await open(page, '/articleTypes', 'Sechskantstahl')
    const changed = again.getByLabel('Vorlage für die Nummer')
    await changed.fill((await changed.inputValue()).replace('SKT-', 'SK-'))
    await again.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('button', { name: '54 Artikel ändern' }).click()
    await expect(page.getByText('„Sechskantstahl“ wurde gespeichert')).toBeVisible()
  })

  test('is not changed if articles would collide, and names each of them', async ({ page }) => {
    const type = await open(page, '/articleTypes', 'Flachstahl')
    const number = type.getByLabel('Vorlage für die Nummer')
    await number.fill('FL-{breite}x{dicke:cm:0}-{material}-{laenge}')
    await type.getByRole('button', { name: 'Speichern' }).click()
    const question = form(page, '„Flachstahl“ lässt sich so nicht ändern')
    await expect(question.getByText('216 Artikel abgelehnt')).toBeVisible()
    await expect(question.getByText(/^Die Nummer FL-20x1-.* hätten mehrere Artikel$/).first()).toBeVisible()
    await expect(question.getByRole('button', { name: /Artikel ändern/ })).toHaveCount(0)
    const download = page.waitForEvent('download')
    await question.getByRole('button', { name: 'Alle als CSV speichern' }).click()
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split(/\r?\n/)
    expect(lines).toHaveLength(1 + 243)
    expect(lines.find((line) => line.startsWith('FL-20x5-S235JR-6;'))).toContain('Die Nummer FL-20x1-S235JR-6 hätten mehrere Artikel')
    await page.keyboard.press('Escape')
    await expect(question).toBeHidden()
    await expect(number).toHaveAccessibleDescription(/bekämen eine Nummer, die schon vergeben ist/)
    await page.goto('/articles?f.article_number=FL-20x3-S235JR-6')
    await expect(page.getByRole('link', { name: 'FL-20x3-S235JR-6' })).toBeVisible()
  })
})

test.describe('a material of articles', () => {
  test.use({ expectedStatuses: [409] })

  test('is corrected together with them, and the history has an entry for each', async ({ page }) => {
    const correct = async (density: string) => {
      const material = await open(page, '/materials', 'EN AW-5083')
      await material.getByLabel('Dichte').fill(density)
      await material.getByRole('button', { name: 'Speichern' }).click()
      await page.getByRole('button', { name: '6 Artikel ändern' }).click()
      await expect(page.getByText('„EN AW-5083“ wurde gespeichert')).toBeVisible()
    }
    await correct('2,7')
    await page.goto('/audit?f.record=article')
    const latest = page.getByRole('table', { name: 'Verlauf' }).locator('tbody tr').first()
    await expect(latest).toContainText('5083')
    await expect(latest).toContainText('Gewicht')
    // restores the value that other tests expect
    await correct('2,66')
  })
})

test('a quantity is echoed in pieces, metres and kilograms', async ({ page }) => {
  const article = await open(page, '/articles?f.article_number=IPE-80-S235JR-6.1', 'IPE-80-S235JR-6.1')
  await expect(article.getByLabel('Einheit: Menge')).toHaveValue('piece')
  const echo = article.getByRole('region').getByRole('status')
  await article.getByRole('textbox', { name: 'Menge' }).fill('3')
  await expect(echo).toContainText('3 St = 18,3 m = 109,8 kg')
  await expect(echo).toContainText('1 St = 6,1 m · 1 m = 6 kg')
  await article.getByLabel('Einheit: Menge').selectOption('t')
  await article.getByRole('textbox', { name: 'Menge' }).fill('0,0366')
  await expect(echo).toContainText('0,037 t = 1 St = 6,1 m')
})

test('the weight of a section follows its dimensions', async ({ page }) => {
  const article = await open(page, '/articles?f.article_number=FL-20x3-S235JR-6', 'FL-20x3-S235JR-6')
  await expect(article.getByRole('switch', { name: 'Metergewicht: Aus Querschnitt und Dichte' })).toBeChecked()
  const weight = article.getByLabel('Metergewicht', { exact: true })
  await expect(weight).toHaveValue('0,471')
  await article.getByLabel('Breite *').fill('40')
  await article.getByLabel('Dicke *').fill('4,5')
  await expect(weight).toHaveValue('1,413')
  await article.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText('„FL-40x4.5-S235JR-6“ wurde gespeichert')).toBeVisible()
  await page.goto('/articles?f.article_number=FL-40x4.5-S235JR-6')
  await expect(page.getByText('1,413 kg/m')).toBeVisible()
})
