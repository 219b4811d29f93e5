import { expect, signIn, test, trackRequests } from './server'

// an upgraded server has only the files of the new version
test.use({ expectedStatuses: [404] })

test('unsaved input survives a missing chunk, and the reload that follows', async ({ page }) => {
  const dialogTypes: string[] = []
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type())
    void dialog.accept()
  })
  await signIn(page)
  const rest = trackRequests(page)
  await page.goto('/materials/1')
  const form = page.getByRole('dialog')
  const name = form.getByLabel('Name *')
  await name.fill('Noch nicht gespeichert')
  // code that may be needed without the server is preloaded as soon as the page is idle
  const ahead = () => performance.getEntriesByType('resource').some(({ name }) => /\/confirm-dialog-[^/]+\.js$/.test(name))
  await expect.poll(() => page.evaluate(ahead), { timeout: 30_000 }).toBe(true)
  await rest()

  await page.route('**/assets/**', (route) => route.fulfill({ status: 404 }))
  await page.keyboard.press('Control+k')
  await expect(form.getByText(/Ein Teil dieser Seite konnte nicht geladen werden/)).toBeVisible()
  await expect(name).toHaveValue('Noch nicht gespeichert')
  // the confirmation was preloaded before it was needed
  await form.getByRole('button', { name: 'Abbrechen' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Weiter bearbeiten' }).click()

  await page.unroute('**/assets/**')
  await form.getByRole('button', { name: 'Neu laden' }).click()
  await expect(form.getByText(/Was Sie vor dem Neuladen eingegeben hatten/)).toBeVisible()
  await expect(name).toHaveValue('Noch nicht gespeichert')
  expect(dialogTypes).toEqual([])
  await form.getByRole('button', { name: 'Verwerfen' }).click()
  await expect(name).not.toHaveValue('Noch nicht gespeichert')
  await form.getByRole('button', { name: 'Abbrechen' }).click()
  await expect(form).toHaveCount(0)
})

test('unsaved input survives a short outage of the server', async ({ page, context }) => {
  const text = `Ohne Netz ${Date.now().toString(36)}`
  await signIn(page)
  const rest = trackRequests(page)
  await page.goto('/materials/new')
  const form = page.getByRole('dialog')
  await form.getByLabel('Name *').fill(text)
  await rest()
  await context.setOffline(true)
  await form.getByRole('button', { name: 'Speichern' }).click()
  const away = form.getByText(/Der Server ist zurzeit nicht erreichbar/)
  await expect(away).toBeVisible()
  await context.setOffline(false)
  await expect(away).toHaveCount(0)
  await expect(form.getByLabel('Name *')).toHaveValue(text)
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText(`„${text}“ wurde gespeichert`)).toBeVisible()
})

test('a new version is announced on open pages', async ({ page }) => {
  await page.clock.install()
  await signIn(page)
  await page.goto('/home')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.route('**/', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/src="\/assets\/[^"]+"/, 'src="/assets/another.js"')
    await route.fulfill({ response, body })
  })
  await page.clock.fastForward('11:00')
  await expect(page.getByRole('status').getByText(/Eine neue Version von Stalhof ist da/)).toBeVisible()
})
