import type { Page } from '@playwright/test'
import { expect, PASSWORD, signInByForm, test } from './server'

// what an ended session answers, and a wrong password
test.use({ provokes: [401] })

/** As when it has expired: the browser does not know. */
async function endSession(page: Page): Promise<void> {
  const cookies = await page.context().cookies()
  const xsrf = cookies.find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const status = await page.evaluate(async (xsrf) => {
    const headers = { Authorization: `Bearer ${localStorage.getItem('serviceToken')}`, 'X-XSRF-TOKEN': xsrf }
    return (await fetch('/api/sessions/current', { method: 'DELETE', headers })).status
  }, xsrf)
  expect(status).toBe(204)
}

test('what was typed survives a session that ends', async ({ page }) => {
  const name = `Sitzung ${Date.now().toString(36)}`
  await signInByForm(page)
  await page.goto('/materials/new')
  const form = page.getByRole('dialog', { name: 'Neuer Werkstoff' })
  await form.getByLabel('Name *').fill(name)
  await form.getByLabel('Dichte').fill('7,9')
  await endSession(page)
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

test('without anything to lose an ended session leads to sign-in, and back', async ({ page }) => {
  await signInByForm(page)
  await page.goto('/materials')
  await endSession(page)
  await page.goto('/attributes')
  await page.waitForURL('**/login**')
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Attribute' })).toBeVisible()
})

test('the sign-in page loads nothing of what lies behind it', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
  })
  const area = () => scripts.filter((path) => /\/area-/.test(path)).length
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect([scripts.length > 0, area()]).toEqual([true, 0])
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.waitForURL('**/home')
  expect(area()).toBe(1)
})

test('a link that was opened before signing in is reached by it', async ({ page }) => {
  await page.goto('/materials/1?f.name=S2')
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(page.url()).toMatch(/\/materials\/1\?f\.name=S2$/)
})

test('nothing lies at an unknown address, before signing in and after', async ({ page }) => {
  await page.goto('/nowhere/7')
  await page.locator('input[name=email]').fill('admin@stalhof.example')
  await page.locator('input[name=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Path not found' })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/nowhere/7')
})
