import { inspect } from './axe'
import { expect, signIn, test } from './server'

// allows passwords, and connections to this machine
test.use({ environment: { STALHOF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'), STALHOF_OUTBOUND_NETWORKS: '127.0.0.0/8' } })

test('a connection is tested before it is saved, and the failed step says what to do', async ({ page }) => {
  await signIn(page, 'leitung@nordstahl.example', 'de')
  await page.goto('/ftp-settings')
  await page.getByRole('button', { name: 'FTP-Einstellungen anlegen' }).press('Enter')
  const panel = page.getByRole('region', { name: 'Verbindung testen' })
  const start = panel.getByRole('button', { name: 'Verbindung testen' })
  await test.step('missing values are reported first', async () => {
    await start.press('Enter')
    await expect(page.getByLabel('Server').first()).toBeFocused()
  })
  await test.step('a closed port is reported, and the other steps are skipped', async () => {
    await page.getByLabel('Server').first().fill('127.0.0.1')
    await page.getByRole('textbox', { name: 'Port' }).fill('9')
    await page.getByLabel('Benutzername').fill('nordstahl')
    await page.getByLabel('Passwort').fill('geheim')
    await start.press('Enter')
    await expect(panel.getByRole('status')).toHaveText('Der Test ist abgeschlossen. Fehlgeschlagen ist: Verbinden.')
    await expect(panel.getByRole('listitem')).toHaveCount(5)
    await expect(panel.getByText('Der Server „127.0.0.1“ ist nicht erreichbar.')).toBeVisible()
    await expect(panel.getByText('nicht ausgeführt')).toHaveCount(4)
    await inspect(page)
  })
  await test.step('on a phone, and in English', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    // the application reacts to the new width with a delay
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await inspect(page)
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.getByRole('button', { name: 'English' }).press('Enter')
    await expect(page.getByRole('region', { name: 'Test connection' }).getByRole('listitem').first()).toContainText('Connect · failed')
  })
  await test.step('nothing was saved', async () => {
    await page.reload()
    await expect(page.getByText('No FTP settings yet')).toBeVisible()
  })
})
