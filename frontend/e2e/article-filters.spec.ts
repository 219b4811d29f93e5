import type { Page } from '@playwright/test'
import { expect, signIn, test } from './server'

const numbers = (page: Page) => page.locator('[data-row-link]')
const panel = (page: Page) => page.getByRole('dialog', { name: 'Filter' })

test('articles are found by a value with its unit, and numbers are in natural order', async ({ page }) => {
  test.slow()
  await signIn(page)
  await page.goto('/articles?size=100&f.article_number.sw=rd-')
  await expect(numbers(page).first()).toBeVisible({ timeout: 30_000 })
  const sizes = (await numbers(page).allTextContents()).map((number) => Number(/^RD-([\d.]+)/.exec(number)?.[1]))
  expect(sizes.length).toBeGreaterThan(5)
  expect(sizes).toEqual([...sizes].sort((a, b) => a - b))
  await expect(page.getByText('Artikelnummer beginnt mit')).toBeVisible()

  await page.goto('/articles')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await panel(page).getByLabel('Feld').selectOption('attribute')
  await panel(page).getByRole('combobox', { name: 'Attribut' }).fill('Länge')
  await page.getByRole('option', { name: 'Länge', exact: true }).click()
  await panel(page).getByLabel('Bedingung').selectOption('mindestens')
  await panel(page).getByRole('textbox', { name: 'Wert' }).fill('12,1')
  await panel(page).getByLabel('Einheit: Länge').selectOption('m')
  await panel(page).getByRole('button', { name: 'Anwenden' }).click()
  await expect(page).toHaveURL(/f\.attribute_\d+\.gte=12\.1\+m/)
  await expect(page.getByRole('button', { name: 'Länge mindestens 12,1 m' })).toBeVisible()
  await expect(numbers(page).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Länge mindestens 12,1 m' })).toBeVisible()
  for (const number of await numbers(page).allTextContents()) expect(number).toMatch(/-(12\.1|1[3-9][\d.]*)$/)

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await panel(page).getByLabel('Feld').selectOption('category_id')
  await panel(page).getByRole('combobox', { name: 'Wert' }).click()
  await page.getByRole('listbox').getByRole('option').first().click()
  await panel(page).getByRole('button', { name: 'Anwenden' }).click()
  await expect(page).toHaveURL(/f\.category_id=\d+/)
})
