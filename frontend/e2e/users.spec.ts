import { expect, PASSWORD, signIn, test } from './server'

test.use({ expectedStatuses: [401] })

test('a user is invited, signs in with reduced permissions, and is locked', async ({ page, browser, app }) => {
  test.slow()
  await signIn(page, 'leitung@nordstahl.example')
  await page.goto('/users/new')
  const form = page.getByRole('dialog', { name: 'Neuer Benutzer' })
  await form.getByLabel('Name *').fill('Frieda Neu')
  await form.getByLabel('E-Mail *').fill('frieda@nordstahl.example')
  await form.getByRole('checkbox', { name: 'Sachbearbeitung' }).check()
  await form.getByRole('checkbox', { name: 'Rechte einschränken' }).check()
  // initially the user has all permissions of the roles
  await expect(form.getByRole('checkbox', { name: 'Adminbereich nutzen', exact: true })).toBeChecked()
  await form.getByRole('checkbox', { name: 'Artikel: Auflisten', exact: true }).uncheck()
  // permissions beyond those of the roles cannot be chosen
  await expect(form.getByRole('checkbox', { name: 'Werkstoffe: Löschen' })).toBeDisabled()
  await form.getByRole('button', { name: 'Speichern' }).click()
  await expect(page.getByText('„Frieda Neu“ wurde gespeichert')).toBeVisible()

  const menu = async (entry: string) => {
    await page.getByRole('button', { name: 'Aktionen für Frieda Neu' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await menu('Einladen …')
  const invitation = page.getByRole('dialog', { name: '„Frieda Neu“ einladen' })
  const link = new URL(await invitation.getByLabel('Link der Einladung').inputValue())
  await invitation.getByRole('button', { name: 'Schließen' }).click()
  // as soon as the mail is sent, which the list notices within ten seconds
  await expect(page.getByRole('row', { name: /Frieda Neu/ })).toContainText('Eingeladen', { timeout: 40_000 })

  const own = await browser.newContext({ locale: 'de-DE' })
  const guest = await own.newPage()
  await guest.goto(app + link.pathname + link.search)
  await guest.getByLabel('Neues Passwort').fill(PASSWORD)
  await guest.getByLabel('Passwort wiederholen').fill(PASSWORD)
  await guest.getByRole('button', { name: 'Passwort festlegen' }).click()
  await guest.getByRole('link', { name: 'Zur Anmeldung' }).click()
  await guest.locator('input[name=email]').fill('FRIEDA@nordstahl.example')
  await guest.locator('input[name=password]').fill(PASSWORD)
  await guest.locator('form button[type=submit]').click()
  await guest.waitForURL('**/home')
  // only the menu: an unnamed import of articles from another test may have the same name
  const navigation = guest.getByRole('navigation', { name: 'Hauptnavigation' })
  await expect(navigation.getByRole('link', { name: 'Werkstoffe' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Artikel', exact: true })).toHaveCount(0)

  await page.reload()
  await menu('Rechte erklären')
  await page.getByRole('switch', { name: 'Nur vorhandene' }).check()
  await expect(page.getByRole('status').filter({ hasText: 'vorhanden' })).toHaveText('50 Rechte vorhanden')
  await page.getByRole('switch', { name: 'Nur vorhandene' }).uncheck()
  await expect(page.getByRole('row', { name: /Artikel: Auflisten/ })).toContainText('eingeschränkt')

  await page.goto('/users')
  await menu('Sperren …')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sperren' }).click()
  await expect(page.getByText('„Frieda Neu“ ist gesperrt.')).toBeVisible()
  await guest.goto(`${app}/materials`)
  await guest.waitForURL('**/login**')
  await own.close()

  await menu('Löschen')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Löschen' }).click()
  await expect(page.getByText('„Frieda Neu“ wurde gelöscht')).toBeVisible()
})
