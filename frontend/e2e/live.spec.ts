import { expect, signIn, test } from './server'

test.use({ live: true })

const ROWS = ['Artikelnummer;Externe Artikelnummer', 'HEB-200-S235JR-12.1;0009777']

test('all tabs see the end of an import without polling, over one connection', async ({ page, context }) => {
  await signIn(page, 'leitung@nordstahl.example')
  const events: string[] = []
  const lists: number[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/imports/events')) events.push(pathname)
    if (pathname === '/api/admin/imports') lists.push(Date.now())
  })
  await Promise.all([page.goto('/imports'), page.waitForRequest('**/imports/events')])
  const other = await context.newPage()
  await signIn(other, 'leitung@nordstahl.example')
  await other.goto('/imports')
  await expect(other.getByRole('row').nth(1)).toBeVisible()

  await page.getByRole('link', { name: 'Datei importieren' }).first().click()
  const form = page.getByRole('dialog', { name: 'Datei importieren' })
  await form.getByLabel('Inhalt').selectOption('Matching')
  await page.locator('input[type=file]').setInputFiles({ name: 'live.csv', mimeType: 'text/csv', buffer: Buffer.from(ROWS.join('\r\n')) })
  await form.getByLabel('Name').fill('Gleich da')
  await expect(form.getByText(/Spalten erkannt$/)).toBeVisible()
  await form.getByRole('button', { name: 'Importieren' }).click()

  // much sooner than by polling every 30 seconds
  const row = other.getByRole('row').filter({ hasText: 'Gleich da' })
  await expect(row).toContainText('Erfolgreich', { timeout: 20_000 })
  expect(events).toHaveLength(1)

  await test.step('the listening tab is closed, and another one takes over', async () => {
    await Promise.all([other.waitForRequest('**/imports/events'), page.close()])
  })
})
