import type { Page } from '@playwright/test'
import { createAdministrator, expect, PASSWORD, signIn, test } from './server'

const GOOD = 'amboss-nebel-kran-17'

test.skip(Boolean(process.env.STALHOF_URL), 'changes passwords')
// the old password, and a used link
test.use({ expectedStatuses: [401, 404, 422], locale: 'de-DE' })

/** Opens the latest mail to an address, as the demo shows it on the sign-in page. */
async function openMail(page: Page, address: string, subject: string) {
  await page.goto('/login')
  await page.getByRole('button', { name: 'E-Mails der Demo' }).click()
  const mails = page.getByRole('dialog', { name: 'E-Mails der Demo' })
  const mail = mails.getByRole('listitem').filter({ hasText: address }).filter({ hasText: subject }).first()
  await mail.getByRole('link', { name: 'Link öffnen' }).click()
}

async function choosePassword(page: Page, password: string) {
  await page.getByLabel('Neues Passwort').fill(password)
  await page.getByLabel('Passwort wiederholen').fill(password)
  await page.getByRole('button', { name: 'Passwort festlegen' }).click()
}

async function enter(page: Page, password: string) {
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
}

test('a forgotten password: mail, new password, sign-in, and the link is used up', async ({ page, data }) => {
  const email = 'frieda@stalhof.example'
  await createAdministrator(page, data, email, 'Frieda Vergesslich')
  await page.goto('/login')
  await page.getByLabel('E-Mail-Adresse').fill(email)
  await page.getByRole('link', { name: 'Passwort vergessen?' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Passwort vergessen' })).toBeVisible()
  await expect(page.getByLabel('E-Mail-Adresse')).toHaveValue(email)
  await expect(page.getByLabel('E-Mail-Adresse')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Prüfen Sie Ihr Postfach' })).toBeVisible()

  await openMail(page, email, 'Neues Passwort für Stalhof')
  await expect(page.getByRole('heading', { level: 1, name: 'Neues Passwort' })).toBeVisible()
  const link = page.url()
  await choosePassword(page, PASSWORD)
  await expect(page.getByLabel('Neues Passwort')).toHaveAccessibleDescription('Bitte wählen Sie ein anderes Passwort als bisher')
  await choosePassword(page, GOOD)
  await page.getByRole('link', { name: 'Zur Anmeldung' }).click()
  await expect(page.getByLabel('E-Mail-Adresse')).toHaveValue(email)
  await enter(page, PASSWORD)
  await expect(page.getByRole('alert')).toHaveText('Ihre Zugangsdaten sind ungültig.')
  await enter(page, GOOD)
  await page.waitForURL('**/home')

  await page.evaluate(() => localStorage.clear())
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1, name: 'Dieser Link ist ungültig' })).toBeVisible()
  await page.getByRole('link', { name: 'Neuen Link anfordern' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Passwort vergessen' })).toBeVisible()
})

test('an invitation by mail, and a reset link by the administrator', async ({ page, browser, app }) => {
  test.slow()
  await signIn(page, 'leitung@nordstahl.example')
  await page.goto('/users/new')
  const form = page.getByRole('dialog', { name: 'Neuer Benutzer' })
  await form.getByLabel('Name *').fill('Gesa Neu')
  await form.getByLabel('E-Mail *').fill('gesa@nordstahl.example')
  await form.getByRole('checkbox', { name: 'Sachbearbeitung' }).check()
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText('„Gesa Neu“ wurde gespeichert')).toBeVisible()
  const menu = async (entry: string) => {
    await page.getByRole('button', { name: 'Aktionen für Gesa Neu' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await menu('Einladen …')
  const invitation = page.getByRole('dialog', { name: '„Gesa Neu“ einladen' })
  // the button moves down when the link appears
  await expect(invitation.getByRole('textbox', { name: 'Link der Einladung' })).toBeVisible()
  await invitation.getByRole('button', { name: 'Schließen' }).click()
  const row = page.getByRole('row', { name: /Gesa Neu/ })
  await expect(row).toContainText('Eingeladen', { timeout: 40_000 })

  const own = await browser.newContext({ locale: 'de-DE', baseURL: app })
  const guest = await own.newPage()
  await openMail(guest, 'gesa@nordstahl.example', 'Ihre Einladung zu Stalhof')
  await choosePassword(guest, PASSWORD)
  await guest.getByRole('link', { name: 'Zur Anmeldung' }).click()
  await enter(guest, PASSWORD)
  await guest.waitForURL('**/home')

  await page.reload()
  await menu('Link für neues Passwort senden …')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Link senden' }).click()
  await expect(page.getByText('Der Link für „Gesa Neu“ ist unterwegs.')).toBeVisible()
  const elsewhere = await browser.newContext({ locale: 'de-DE', baseURL: app })
  const other = await elsewhere.newPage()
  await openMail(other, 'gesa@nordstahl.example', 'Neues Passwort für Stalhof')
  await choosePassword(other, GOOD)
  await expect(other.getByRole('heading', { level: 1, name: 'Ihr Passwort ist geändert' })).toBeVisible()
  // all earlier sessions have ended
  await guest.goto('/materials')
  await guest.waitForURL('**/login**')
  await Promise.all([own.close(), elsewhere.close()])
})
