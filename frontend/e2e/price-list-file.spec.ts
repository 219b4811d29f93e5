import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { call } from './call'
import { expect, signIn, test } from './server'

const OWNER = 'leitung@nordstahl.example'
const NAME = `E2E Preise aus Datei ${Date.now().toString(36)}`

/**
 * Creates a price list for a future period with prices of the first articles; returns their numbers, and one
 * more.
 */
async function filled(page: Page, name: string, size: number) {
  const me = await call<{ tenant: { id: number } }>(page, 'GET', '/api/users/me')
  const { data: articles } = await call<{ data: { article_number: string }[] }>(
    page,
    'GET',
    `/api/admin/articles?filter[article_number_starts_with]=HEB&page[size]=${size + 1}`,
  )
  const { id } = await call<{ id: number }>(page, 'POST', '/api/admin/price-lists', {
    name,
    owner_tenant_id: me.tenant.id,
    type: 'sales',
    scope: 'own',
    valid_from: '2096-01-01T00:00:00Z',
    limited: true,
    // no other test has a list at that time
    valid_until: '2097-01-01T00:00:00Z',
  })
  const numbers = articles.map((article) => article.article_number)
  const prices = numbers.slice(0, size).map((article_number) => ({ article_number, price: { price: '850', unit: 't' } }))
  await call(page, 'PUT', `/api/admin/price-lists/${id}/prices`, { prices })
  return { id, numbers }
}

test('a file replaces all prices of a list: removals are shown first, all prices change together, and it is undone', async ({ page }) => {
  test.slow()
  await signIn(page, OWNER)
  await page.goto('/priceLists')
  const { id, numbers } = await filled(page, NAME, 3)
  const [firstNumber = '', , , newNumber = ''] = numbers
  const form = page.getByRole('dialog', { name: 'Datei importieren' })
  const prices = page.getByRole('grid', { name: 'Preise' })
  const choose = (rows: string[]) =>
    page.locator('input[type=file]').setInputFiles({
      name: 'preise.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Artikelnummer;Preis;Preismenge;Preiseinheit', ...rows].join('\r\n')),
    })
  const openForm = async () => {
    await page.goto(`/priceLists/${id}/prices`)
    await page.getByRole('main').getByRole('link', { name: 'Datei importieren' }).click()
    await expect(form.getByLabel('Preisliste')).toHaveValue(NAME)
  }

  await test.step('a refused row rejects the whole file', async () => {
    await openForm()
    await choose([`${firstNumber};870;1;t`, 'GIBT-ES-NICHT;1;1;t'])
    await expect(form.getByText('4 von 4 Spalten erkannt')).toBeVisible()
    await form.getByRole('button', { name: 'Vorschau' }).click()
    await expect(
      page.getByRole('dialog').getByText(/Es wurde nichts übernommen, denn diese Datei gilt nur als Ganzes \(abgelehnte Zeilen: 1\)/),
    ).toBeVisible()
  })

  await test.step('removals are listed first', async () => {
    await openForm()
    await choose([`${firstNumber};870;1;t`, `${newNumber};900;1;t`])
    await form.getByLabel('Umgang mit vorhandenen Einträgen *').selectOption('replace_all')
    await form.getByRole('button', { name: 'Vorschau' }).click()
    await expect(form.getByText(/ersetzt alles: 2 Einträge, die die Datei nicht nennt/)).toBeVisible()
    await inspect(page)
  })

  const detail = page.getByRole('dialog', { name: 'Preise einer Preisliste' })
  await test.step('all prices appear together', async () => {
    await form.getByRole('button', { name: 'Jetzt importieren' }).click()
    await page
      .getByRole('dialog', { name: /importieren\?$/ })
      .getByRole('button', { name: 'Jetzt importieren' })
      .click()
    const question = page.getByRole('alertdialog', { name: '2 Einträge entfernen?' })
    await inspect(page)
    await question.getByRole('textbox').fill('2')
    await question.getByRole('button', { name: 'Importieren und 2 entfernen' }).click()
    await expect(detail.getByText('Erfolgreich', { exact: true })).toBeVisible()
    await expect(detail.getByText('2 von 2 Zeilen')).toBeVisible()
    await detail.getByRole('link', { name: NAME }).click()
    await expect(prices.getByText('870,00')).toBeVisible()
    await expect(prices.getByText('900,00')).toBeVisible()
    await expect(prices.getByText('850,00')).toHaveCount(0)
  })

  await test.step('the import is undone', async () => {
    await page.goBack()
    await detail.getByRole('button', { name: 'Import rückgängig machen …' }).click()
    await page
      .getByRole('dialog', { name: /rückgängig machen\?/ })
      .getByRole('button', { name: 'Rückgängig machen' })
      .click()
    await expect(page.getByText('„preise.csv“ wurde rückgängig gemacht')).toBeVisible()
    await page.goto(`/priceLists/${id}/prices`)
    await expect(prices.getByText('850,00')).toHaveCount(3)
  })
})
