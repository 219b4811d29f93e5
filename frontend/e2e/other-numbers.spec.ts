import { expect, signIn, test } from './server'

test.beforeEach(({ page }) => signIn(page))

test('an article is found by its GTIN, its drawing number and by what it was called before', async ({ page }) => {
  await page.goto('/articles?f.article_number=SK-')
  const link = page.getByRole('table').getByRole('link').first()
  const former = (await link.textContent()) ?? ''
  await link.click()
  const form = page.getByRole('dialog')
  const numbers = form.getByRole('group', { name: 'Weitere Nummern' })
  await numbers.getByRole('button', { name: 'Hinzufügen' }).focus()
  await page.keyboard.press('Enter')
  await expect(form.getByRole('group', { name: 'Nummer 1' }).getByLabel('Art')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('4006381333932')
  await form.getByRole('button', { name: 'Speichern' }).click()
  const gtin = form.getByRole('group', { name: 'Nummer 1' }).getByRole('textbox')
  await expect(gtin).toHaveAccessibleDescription('Die Prüfziffer stimmt nicht: Auf 400638133393 folgt 1')
  await gtin.fill('4006381333931')
  await numbers.getByRole('button', { name: 'Hinzufügen' }).click()
  await form.getByRole('group', { name: 'Nummer 2' }).getByLabel('Art').selectOption('Zeichnungsnummer')
  await form.getByRole('group', { name: 'Nummer 2' }).getByRole('textbox').fill('Z-4711/a')
  await form.getByRole('switch', { name: 'Artikelnummer: Aus der Vorlage' }).click()
  await form.getByRole('textbox', { name: /^Artikelnummer/ }).fill('SONDER-1')
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText('„SONDER-1“ wurde gespeichert')).toBeVisible()

  for (const text of ['4006381333931', 'z-4711', former]) {
    await page.goto(`/articles?f.search=${encodeURIComponent(text)}`)
    await expect(page.getByRole('table').getByRole('link', { name: 'SONDER-1', exact: true })).toBeVisible()
  }
  await page.getByRole('table').getByRole('link', { name: 'SONDER-1', exact: true }).click()
  const kept = page.getByRole('dialog').getByRole('group', { name: 'Nummer 3' })
  await expect(kept.getByLabel('Art')).toHaveValue('former')
  await expect(kept.getByRole('textbox')).toHaveValue(former)

  // other tests know it by its number
  await page.getByRole('dialog').getByRole('switch', { name: 'Artikelnummer: Aus der Vorlage' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText(`„${former}“ wurde gespeichert`)).toBeVisible()
})
