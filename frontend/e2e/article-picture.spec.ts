import { join } from 'node:path'
import { expect, signIn, test } from './server'

const drawing = join(import.meta.dirname, '../../crates/stalhof/src/demo/pictures/round.png')

test('an article gets a picture of its own instead of that of its category, and it is removed again', async ({ page }) => {
  await signIn(page)
  await page.goto('/articles?f.article_number=HEB-100-S235JR-6.1')
  const link = page.getByRole('table').getByRole('link').first()
  await link.click()
  const form = page.getByRole('dialog')
  await expect(form.getByRole('img', { name: /Bild der Kategorie/ })).toBeVisible()
  await form.locator('input[type=file]').setInputFiles(drawing)
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(form).toBeHidden()

  await link.click()
  await expect(form.getByRole('img', { name: 'Eigenes Bild' })).toBeVisible()
  await expect(form.getByText('Gespeichertes Bild')).toBeVisible()
  await form.getByRole('button', { name: 'Eigenes Bild: Entfernen' }).click()
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(form).toBeHidden()
  await link.click()
  await expect(form.getByRole('img', { name: /Bild der Kategorie/ })).toBeVisible()
  await expect(form.getByText('Kein Bild')).toBeVisible()
})
