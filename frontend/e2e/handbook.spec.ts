import { inspect } from './axe'
import { expect, signIn, test } from './server'

test.use({ expectedStatuses: ['404 GET /help/de/nowhere'] })

test('a screen links to its page of the handbook, by pointer and by keyboard', async ({ page }) => {
  await signIn(page)
  await page.goto('/priceLists?tenantId=1')
  const help = page.getByRole('link', { name: 'Hilfe zu dieser Seite' })
  const [opened] = await Promise.all([page.waitForEvent('popup'), help.click()])
  await expect(opened.getByRole('heading', { level: 1, name: 'Preislisten' })).toBeVisible()
  await opened.close()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('handbuch')
  const [again] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
  await expect(again).toHaveURL(/\/help\/de\/price-lists$/)
})

test('the sign-in page links to the handbook, on a phone, too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/login')
  const help = page.getByRole('link', { name: 'Hilfe zu dieser Seite' })
  await expect(help).toBeInViewport()
  const [opened] = await Promise.all([page.waitForEvent('popup'), help.click()])
  await expect(opened.getByRole('heading', { level: 1, name: 'Anmelden und zurechtfinden' })).toBeVisible()
})

test('the handbook is searched without a server', async ({ page }) => {
  await page.goto('/help')
  await expect(page).toHaveURL(/\/help\/de\/$/)
  const search = page.locator('.VPLocalSearchBox')
  // the page is readable before its scripts handle keys
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(search).toBeVisible({ timeout: 500 })
  }).toPass()
  await search.locator('input').fill('Fehlerdatei')
  await page.getByRole('option', { name: /Abgelehnte Zeilen korrigieren/ }).click()
  await expect(page).toHaveURL(/\/help\/de\/import-results#/)
  await page.goto('/help/de/nowhere')
  await expect(page.getByText('Seite nicht gefunden')).toBeVisible()
})

test('labels for screen readers are in the language of the page', async ({ page }) => {
  await page.goto('/help/de/stocks')
  await expect(page.getByRole('navigation', { name: 'Inhalt' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Vorherige Seite, Nächste Seite' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Link zu „Überblick behalten“' })).toHaveCount(1)
  await page.goto('/help/en/stocks')
  await expect(page.getByRole('navigation', { name: 'Contents' })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Permalink to/ }).first()).toBeAttached()
})

for (const [width, colorScheme] of [
  [1440, 'light'],
  [1440, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const) {
  test(`axe finds nothing in the handbook: ${width} px, ${colorScheme}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    for (const path of ['/help/de/', '/help/de/import-results', '/help/en/price-adjustments']) {
      await page.goto(path)
      await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /dark/ : /^(?!.*dark)/)
      await inspect(page)
    }
  })
}
