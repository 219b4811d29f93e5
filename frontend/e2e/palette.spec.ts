import { expect, signIn, test } from './server'

test.beforeEach(({ page }) => signIn(page))

test('the palette finds articles by designation, by keyboard alone', async ({ page }) => {
  await page.goto('/home?tenantId=1')
  await expect(page.getByRole('button', { name: 'Suchen und springen' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Suchen und springen' })
  await expect(field).toBeFocused()
  await field.fill('HEB200 s235 12,1m')
  await expect(page.getByRole('option', { name: /^HEB-200-S235JR-12\.1/ })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/articles\/\d+\?tenantId=1$/)
  await expect(page.getByRole('dialog', { name: 'HEB-200-S235JR-12.1' })).toBeVisible()

  await page.keyboard.press('Control+k')
  await field.fill('1,0577')
  await page.getByRole('option', { name: /^Alle \d+ Treffer anzeigen: Artikel$/ }).click()
  await expect(page).toHaveURL(/\/articles\?tenantId=1&f\.search=1%2C0577$/)
  await expect(page.locator('[data-row-link]').first()).toContainText('S355J2')

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('group', { name: 'Zuletzt gewählt' }).getByRole('option')).toHaveText(/^HEB-200-S235JR-12\.1/)
  await page.keyboard.press('Escape')
  await expect(field).toBeHidden()
})

for (const delay of [80, 1_000]) {
  test(`keys that are pressed while the palette loads for ${delay} ms are not lost`, async ({ page }) => {
    await page.route(/\/assets\/palette-[^/]*\.js$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, delay))
      await route.continue()
    })
    await page.goto('/priceLists?tenantId=1')
    await expect(page.getByRole('button', { name: 'Suchen und springen' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('werkt', { delay: 30 })
    await page.keyboard.press('Backspace')
    const field = page.getByRole('combobox', { name: 'Suchen und springen' })
    await expect(field).toHaveValue('werk')
    await expect(field).toBeFocused()
    await page.keyboard.type('stoff')
    await expect(field).toHaveValue('werkstoff')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Suchen und springen' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('fixl')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/tradeDimensions/)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
}

test('a record in use is not deleted: its references are shown with links', async ({ page }) => {
  await page.goto('/materials?tenantId=1&f.search=W.-Nr.+1,0038')
  await page.getByRole('button', { name: 'Aktionen für S235JR' }).click()
  await page.getByRole('menuitem', { name: 'Löschen' }).click()
  const dialog = page.getByRole('alertdialog', { name: '„S235JR“ wird noch verwendet' })
  await expect(dialog.getByRole('link')).toHaveCount(6)
  await expect(dialog.getByRole('button', { name: 'Löschen' })).toHaveCount(0)
  await dialog.getByRole('link', { name: /^Alle \d+ Artikel anzeigen$/ }).click()
  await expect(page).toHaveURL(/\/articles\?tenantId=1&f\.material_id=\d+$/)
  await expect(page.getByText(/Werkstoff ist/)).toContainText('S235JR')
  await expect(dialog).toBeHidden()
})

test('a form is saved while a tenant is chosen', async ({ page }) => {
  await page.goto('/materials/new?tenantId=1')
  await page.getByLabel('Name *').fill(`Mit Mandant ${Date.now()}`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
})
