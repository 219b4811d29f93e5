import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { createAdministrator, expect, PASSWORD, signIn, signInByForm, test } from './server'

const EMAIL = 'pia@stalhof.example'
const NEW = 'nordwind-kantine-walzwerk'

test.describe('the password', () => {
  test.skip(Boolean(process.env.STALHOF_URL), 'needs the data of the server')
  // a wrong password, and the other device after the change
  test.use({ expectedStatuses: [401, 422] })

  test('is changed, and ends the session of the other device', async ({ page, browser, data, app }) => {
    test.slow()
    await createAdministrator(page, data, EMAIL, 'Pia Profil')
    await signInByForm(page, EMAIL)
    const device = await browser.newContext({ baseURL: app })
    const other = await device.newPage()
    await signInByForm(other, EMAIL)

    await page.goto('/profile')
    const sessions = page.getByRole('region', { name: 'Sitzungen' })
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    const card = page.getByRole('region', { name: 'Passwort' })
    const submit = card.getByRole('button', { name: 'Passwort ändern' })
    const strength = card.getByRole('status').filter({ hasText: 'Stärke' })
    await card.getByLabel('Neues Passwort', { exact: true }).fill('stalhof2026')
    await expect(strength).toContainText('zu kurz, noch 1 Zeichen')
    await card.getByLabel('Neues Passwort', { exact: true }).fill('stalhof-2026')
    await expect(strength).toContainText('Nehmen Sie')
    await card.getByLabel('Neues Passwort', { exact: true }).fill(NEW)
    await card.getByLabel('Neues Passwort wiederholen').fill(NEW)
    await card.getByLabel('Aktuelles Passwort').fill('falsch')
    await submit.click()
    await expect(card.getByText('Das aktuelle Passwort ist nicht richtig')).toBeVisible()
    await card.getByLabel('Aktuelles Passwort').fill(PASSWORD)
    await submit.click()
    await expect(page.getByText('Ihr Passwort wurde aktualisiert')).toBeVisible()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)

    await other.goto('/articles')
    await other.waitForURL('**/login')
    await device.close()
  })
})

test.describe("the user's own data", () => {
  test.skip(Boolean(process.env.STALHOF_URL), 'needs the data of the server')

  test('is exported as a file, and the history records the export', async ({ page, data }) => {
    const email = 'dora@stalhof.example'
    await createAdministrator(page, data, email, 'Dora Daten')
    await signInByForm(page, email)
    const save = async (press: () => Promise<void>) => {
      const download = page.waitForEvent('download')
      await press()
      const file = await download
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
    }

    await page.goto('/profile')
    const own = await save(() => page.getByRole('button', { name: 'Meine Daten herunterladen' }).click())
    expect(own.name).toMatch(/^Personenbezogene Daten \d+-\d{4}-\d\d-\d\d\.json$/)
    await expect(page.getByText('Ihre Daten wurden heruntergeladen.')).toBeVisible()
    const stored = JSON.parse(own.text)
    expect(stored.account).toMatchObject({ name: 'Dora Daten', email, tenant: null })
    expect(stored.sessions).toHaveLength(1)
    expect(stored.history.map(({ action }: { action: string }) => action)).toContain('signed_in')
    expect(own.text).not.toMatch(/argon2|"password"|"hash"/)

    await page.goto(`/audit?f.record=user&f.record_id=${stored.account.id}`)
    const latest = page.getByRole('table', { name: 'Verlauf' }).locator('tbody tr').first()
    await expect(latest).toContainText('Daten heruntergeladen')
    await page.getByRole('button', { name: 'Exportieren' }).click()
    const history = await save(() => page.getByRole('menuitem', { name: 'CSV' }).click())
    expect(history.name).toMatch(/^Verlauf-.*\.csv$/)
    const lines = history.text.trimEnd().split('\r\n')
    expect(lines[1]).toContain('Dora Daten')
    expect(lines[1]).toContain('Daten heruntergeladen')
    await expect(page.getByRole('table', { name: 'Verlauf' }).locator('tbody tr')).toHaveCount(lines.length - 1)
  })
})

test.describe('the layout', () => {
  const layout = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('layout') ?? '{}'))

  test('is chosen beside the page, stored, and applied before the first paint', async ({ page }) => {
    test.slow()
    await signIn(page)
    await page.goto('/materials')
    await page.getByRole('button', { name: 'Mein Konto' }).click()
    await page.getByRole('menuitem', { name: 'Darstellung' }).click()
    const panel = page.getByRole('dialog', { name: 'Darstellung' })
    await panel.getByText('Kobalt').click()
    await panel.getByRole('button', { name: 'Dunkel' }).click()
    await panel.getByRole('button', { name: 'Von rechts nach links' }).click()
    await panel.getByText('Schmale Navigation').click()
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    expect(await layout(page)).toMatchObject({ palette: 'theme5', direction: 'rtl', mini: true })

    const colours: string[] = []
    await page.exposeFunction('reportFrame', (colour: string) => colours.push(colour))
    await page.addInitScript(() => {
      const look = () => {
        const root = document.documentElement
        ;(window as unknown as { reportFrame: (text: string) => void }).reportFrame(
          [root.dir, root.getAttribute('data-mode'), getComputedStyle(root).backgroundColor].join(' '),
        )
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Werkstoffe' })).toBeVisible()
    // every frame from the first one
    expect([...new Set(colours)]).toEqual(['rtl dark rgb(18, 19, 25)'])
    // the navigation is on the other side, as icons
    const box = await page.getByRole('navigation', { name: 'Hauptnavigation' }).boundingBox()
    expect(box && box.x > 1300 && box.width <= 64).toBe(true)

    await page.getByRole('button', { name: 'Mein Konto' }).click()
    await page.getByRole('menuitem', { name: 'Darstellung' }).click()
    await panel.getByRole('button', { name: 'Zurücksetzen' }).click()
    await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
    expect(await layout(page)).toMatchObject({ palette: 'default', direction: 'ltr', mini: false })
  })

  test('from left to right loads no code for the other direction', async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
    await signIn(page)
    await page.goto('/home')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(scripts.filter((path) => /\/(rtl|layout-)/.test(path))).toEqual([])
  })
})
