import { expect, signIn, test } from './server'

test.beforeEach(({ page }) => signIn(page))

test('an article is found by its GTIN, its drawing number and its former number', async ({ page }) => {
  await page.goto('/articles?f.article_number=SK-')
  const link = page.getByRole('table').getByRole('link').first()
  const former = (await link.textContent()) ?? ''
  await link.click()
  const form = page.getByRole('dialog')
  const numbers = form.getByRole('group', { name: 'Weitere Nummern' })
  const number = (at: number) => numbers.getByRole('group', { name: `Nummer ${at}`, exact: true })
  await numbers.getByRole('button', { name: 'Hinzufügen' }).focus()
  // another test may have changed the number before
  const first = (await numbers.getByRole('group').count()) + 1
  await page.keyboard.press('Enter')
  await expect(number(first).getByLabel('Art')).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.type('4006381333932')
  await form.getByRole('button', { name: 'Speichern' }).click()
  const gtin = number(first).getByRole('textbox')
  await expect(gtin).toHaveAccessibleDescription('Die Prüfziffer stimmt nicht: Auf 400638133393 folgt 1')
  await gtin.fill('4006381333931')
  await numbers.getByRole('button', { name: 'Hinzufügen' }).click()
  await number(first + 1)
    .getByLabel('Art')
    .selectOption('Zeichnungsnummer')
  await number(first + 1)
    .getByRole('textbox')
    .fill('Z-4711/a')
  await form.getByRole('switch', { name: 'Artikelnummer: Aus der Vorlage' }).click()
  await form.getByRole('textbox', { name: /^Artikelnummer/ }).fill('SONDER-1')
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText('„SONDER-1“ wurde gespeichert')).toBeVisible()

  for (const text of ['4006381333931', 'z-4711', former]) {
    await page.goto(`/articles?f.search=${encodeURIComponent(text)}`)
    await expect(page.getByRole('table').getByRole('link', { name: 'SONDER-1', exact: true })).toBeVisible()
  }
  await page.getByRole('table').getByRole('link', { name: 'SONDER-1', exact: true }).click()
  await expect(numbers.getByRole('group')).toHaveCount(first + 2)
  const all = await numbers.getByRole('group').all()
  const texts = all.map(async (one) => `${await one.getByLabel('Art').inputValue()} ${await one.getByRole('textbox').inputValue()}`)
  expect(await Promise.all(texts)).toContain(`former ${former}`)

  // other tests look it up by its number
  await page.getByRole('dialog').getByRole('switch', { name: 'Artikelnummer: Aus der Vorlage' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText(`„${former}“ wurde gespeichert`)).toBeVisible()
})
