import { expect, signIn, test } from './server'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test.describe('an access token', () => {
  test.use({ expectedStatuses: [401, 403] })

  test('is created, copied, used by a program and revoked', async ({ page, request }) => {
    await signIn(page, 'leitung@nordstahl.example')
    await page.goto('/tokens')
    await page
      .getByRole('button', { name: 'Neues Zugriffstoken' })
      .or(page.getByRole('link', { name: 'Neues Zugriffstoken' }))
      .first()
      .click()
    const form = page.getByRole('dialog', { name: 'Neues Zugriffstoken' })
    await form.getByLabel('Name *').fill('Preisupload')
    await form.getByRole('button', { name: 'Speichern' }).click()
    await expect(form.getByText('Pflichtfeld')).toBeVisible()
    await form.getByRole('checkbox', { name: 'Adminbereich' }).check()
    await form.getByLabel('Gültig *').selectOption({ label: '7 Tage' })
    await form.getByRole('button', { name: 'Speichern' }).click()

    const dialog = page.getByRole('dialog', { name: 'Zugriffstoken „Preisupload“' })
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await dialog.getByRole('button', { name: 'Token kopieren' }).press('Enter')
    await expect.poll(copied).toMatch(/^pat_[0-9A-Za-z]{49}$/)
    const token = await copied()
    await dialog.getByRole('button', { name: 'Aufruf kopieren' }).click()
    await expect.poll(copied).toContain(`'Authorization: Bearer ${token}'`)
    // a click beside the dialog does not close it, because the token is shown only once
    await page.mouse.click(5, 5)
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Schließen' }).click()
    await expect(dialog).toHaveCount(0)
    expect(await page.content()).not.toContain(token)

    // a new connection for each call: the server may just be closing one that has been idle for five seconds
    const headers = { authorization: `Bearer ${token}`, connection: 'close' }
    const call = async (path: string) => (await request.get(path, { headers })).status()
    expect(await call('/api/admin/articles')).toBe(200)
    expect(await call('/api/admin/tokens')).toBe(403)
    await page.reload()
    const row = page.getByRole('row', { name: /Preisupload/ })
    await expect(row).toContainText('127.0.0.1')
    await expect(row).toContainText('läuft in 7 Tagen ab')
    await expect(row).toContainText(`${token.slice(0, 8)}…${token.slice(-4)}`)

    await page.getByRole('button', { name: 'Aktionen für Preisupload' }).click()
    await page.getByRole('menuitem', { name: 'Bearbeiten' }).click()
    const edit = page.getByRole('dialog', { name: 'Preisupload' })
    await edit.getByLabel('Name *').fill('Warenwirtschaft alt')
    await edit.getByRole('button', { name: 'Speichern' }).click()
    await page.getByRole('button', { name: 'Aktionen für Warenwirtschaft alt' }).click()
    await page.getByRole('menuitem', { name: 'Widerrufen' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Widerrufen' }).click()
    await expect(page.getByText('„Warenwirtschaft alt“ ist widerrufen')).toBeVisible()
    expect(await call('/api/admin/articles')).toBe(401)
  })
})

test.describe('a rotated token', () => {
  test.use({ expectedStatuses: [401] })

  test('stays valid beside the new one until it is revoked, by keyboard', async ({ page, request }) => {
    await signIn(page, 'leitung@nordstahl.example')
    await page.goto('/tokens/new')
    const form = page.getByRole('dialog', { name: 'Neues Zugriffstoken' })
    await form.getByLabel('Name *').fill('Bestandsabgleich')
    await form.getByRole('checkbox', { name: 'Adminbereich' }).check()
    await form.getByRole('button', { name: 'Speichern' }).click()
    const secretDialog = page.getByRole('dialog', { name: 'Zugriffstoken „Bestandsabgleich“' })
    const old = await secretDialog.getByLabel('Token', { exact: true }).inputValue()
    await secretDialog.getByRole('button', { name: 'Schließen' }).click()

    await page.getByRole('button', { name: 'Aktionen für Bestandsabgleich' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Erneuern' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: '„Bestandsabgleich“ erneuern' })
    await dialog.getByLabel('Bisheriges Token weiter gültig *').selectOption({ label: '3 Tage' })
    await dialog.getByLabel('Gültig *', { exact: true }).selectOption({ label: '30 Tage' })
    await dialog.getByRole('button', { name: 'Erneuern' }).press('Enter')
    const newToken = await secretDialog.getByLabel('Token', { exact: true }).inputValue()
    expect(newToken).not.toBe(old)
    await page.keyboard.press('Escape')
    await expect(secretDialog).toHaveCount(0)
    expect(await page.content()).not.toContain(newToken)

    const call = async (token: string) =>
      (await request.get('/api/admin/articles', { headers: { authorization: `Bearer ${token}`, connection: 'close' } })).status()
    expect(await Promise.all([call(old), call(newToken)])).toEqual([200, 200])
    await expect(page.getByRole('row', { name: /ersetzt/ })).toContainText(old.slice(-4))
    await page.getByRole('button', { name: 'Aktionen für Bestandsabgleich (ersetzt)' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Widerrufen' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Widerrufen' }).click()
    await expect(page.getByText('„Bestandsabgleich (ersetzt)“ ist widerrufen')).toBeVisible()
    expect(await Promise.all([call(old), call(newToken)])).toEqual([401, 200])
  })
})

test('the documentation is tried out with a token, under the policy of its page', async ({ page, request }) => {
  // a heavy page is loaded twice
  test.slow()
  await signIn(page)
  await page.goto('/tokens/new')
  const form = page.getByRole('dialog', { name: 'Neues Zugriffstoken' })
  await form.getByLabel('Name *').fill('Swagger')
  await form.getByRole('checkbox', { name: 'Adminbereich' }).check()
  await form.getByRole('button', { name: 'Speichern' }).click()
  const token = await page.getByLabel('Token', { exact: true }).inputValue()

  await page.goto('/docs/')
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const scheme = page.locator('.auth-container', { hasText: 'personal access token' })
  await scheme.getByRole('textbox').fill(token)
  await scheme.getByRole('button', { name: /Apply|Authorize/ }).click()
  await page.locator('.modal-ux .close-modal').click()
  // it persists across a reload
  await page.reload()
  // groups of operations are collapsed at first
  await page
    .getByRole('heading', { level: 3 })
    .filter({ has: page.getByRole('link', { name: 'article_type_groups', exact: true }) })
    .click()
  const operation = page.locator('.opblock', { has: page.locator('a[href$="/article_type_groups.create"]') })
  await operation.locator('.opblock-summary-control').click()
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.locator('textarea').fill(JSON.stringify({ name: 'Aus Swagger', description: null }))
  await operation.getByRole('button', { name: 'Execute' }).click()
  const answer = operation.locator('.live-responses-table tr.response')
  await expect(answer).toContainText('201')
  await expect(answer).toContainText('"name": "Aus Swagger"')
  expect((await request.get('/api/admin/tokens')).status()).toBe(401)
})
