import type { Page } from '@playwright/test'
import { expect, PASSWORD, SHOP, signInByForm, test, trackRequests } from './server'

// an ended session, and a wrong password
test.use({ expectedStatuses: [401] })

/** Ends the session as if it had expired, without the browser noticing. */
async function endSession(page: Page, rest: () => Promise<void>): Promise<void> {
  // pending requests would notice it first
  await rest()
  const cookies = await page.context().cookies()
  const xsrf = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const status = await page.evaluate(async (xsrf) => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('serviceToken')}`, 'X-XSRF-TOKEN': xsrf }
    return (await fetch('/api/sessions/current', { method: 'DELETE', headers })).status
  }, xsrf)
  expect(status).toBe(204)
}

test('unsaved input survives the end of a session', async ({ page }) => {
  const name = `Sitzung ${Date.now().toString(36)}`
  const rest = trackRequests(page)
  await signInByForm(page)
  await page.goto('/materials/new')
  const form = page.getByRole('dialog', { name: 'Neuer Werkstoff' })
  await form.getByLabel('Name *').fill(name)
  await form.getByLabel('Dichte').fill('7,9')
  await endSession(page, rest)
  await form.getByRole('button', { name: 'Speichern' }).click()

  const again = page.getByRole('dialog', { name: 'Sitzung abgelaufen' })
  await again.locator('input[name=password]').fill('falsch')
  await again.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(again.getByText('Ihre Zugangsdaten sind ungültig.')).toBeVisible()
  await again.locator('input[name=password]').fill(PASSWORD)
  await again.getByRole('button', { name: 'Anmelden', exact: true }).click()
  await expect(again).toBeHidden()

  await expect(form.getByLabel('Name *')).toHaveValue(name)
  await expect(form.getByLabel('Dichte')).toHaveValue('7,9')
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText(/wurde gespeichert/)).toBeVisible()
})

test('without unsaved input an ended session redirects to the sign-in, and back', async ({ page }) => {
  const rest = trackRequests(page)
  await signInByForm(page)
  await page.goto('/materials')
  await endSession(page, rest)
  await page.goto('/attributes')
  await page.waitForURL('**/login**')
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Attribute' })).toBeVisible()
})

test('the sign-in page loads no code of the area behind it', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  const shell = () => scripts.filter((path) => /\/shell-/.test(path)).length
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect([scripts.length > 0, shell()]).toEqual([true, 0])
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.waitForURL('**/home')
  expect(shell()).toBeGreaterThan(0)
})

test('a link opened before the sign-in is followed after it', async ({ page }) => {
  await page.goto('/materials/1?f.name=S2')
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(page.url()).toMatch(/\/materials\/1\?f\.name=S2$/)
})

test('an unknown address is not found, before the sign-in and after', async ({ page }) => {
  await page.goto('/nowhere/7')
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Path not found' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/nowhere/7')
})

const SIGN_IN = { level: 1, name: 'Anmelden' } as const

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Mein Konto' }).click()
  await page.getByRole('menuitem', { name: 'Abmelden' }).click()
}

test('signing out in one tab signs out all tabs', async ({ page, context }) => {
  test.slow()
  await signInByForm(page)
  await page.goto('/materials/new')
  await page.getByRole('dialog').getByLabel('Name *').fill('Bleibt nicht')
  const other = await context.newPage()
  await other.goto('/attributes')
  await signOut(other)
  for (const tab of [page, other]) await expect(tab.getByRole('heading', SIGN_IN)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(await page.evaluate(() => localStorage.getItem('serviceToken'))).toBeNull()
  // the back button does not lead back in
  await page.goBack()
  await expect(page.getByRole('heading', SIGN_IN)).toBeVisible()
})

test('signing in as another user in one tab switches all tabs', async ({ page, context }) => {
  await signInByForm(page)
  const other = await context.newPage()
  await other.goto('/home')
  await expect(other.getByRole('heading', { level: 1 })).toContainText('Adele')
  await signOut(page)
  await expect(other.getByRole('heading', SIGN_IN)).toBeVisible()
  await page.locator('input[name=email]').fill('mitarbeit@nordstahl.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  // the address changes before the page does
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Willkommen, Merle Hansen')
})

test('the sign-in page reports an ended session, and redirects signed-in users', async ({ page }) => {
  const rest = trackRequests(page)
  await signInByForm(page)
  await page.goto('/login')
  await page.waitForURL('**/home')
  await endSession(page, rest)
  await page.goto('/materials')
  await page.waitForURL('**/login')
  await expect(page.getByText('Ihre Sitzung ist abgelaufen, bitte melden Sie sich erneut an.')).toBeVisible()
  expect(await page.evaluate(() => history.state.usr)).toMatchObject({ timedOut: true, from: '/materials' })
})

for (const [email, text, shop] of [
  ['shop@nordstahl.example', 'Sie verfügen nicht über die Berechtigung auf den Adminbereich zuzugreifen', true],
  [
    'niemand@nordstahl.example',
    'Ihnen wurden weder Berechtigungen für den Admin Bereich noch für den Shop zugewiesen, bitte kontaktieren Sie Ihren Administrator',
    false,
  ],
] as const) {
  test(`${email} sees the reason why the admin area is closed`, async ({ page }) => {
    await signInByForm(page, email)
    for (const path of ['/home', '/materials/1', '/profile', '/nowhere']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1, name: 'Keine Berechtigung' })).toBeVisible()
      await expect(page.getByText(text, { exact: true })).toBeVisible()
    }
    const link = page.getByRole('link', { name: 'Zum Shop' })
    await expect(link).toHaveCount(shop ? 1 : 0)
    if (shop) await expect(link).toHaveAttribute('href', SHOP)
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await expect(page.getByRole('heading', SIGN_IN)).toBeVisible()
  })
}
