import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { keepMessage } from './message'
import { expect, signIn, test } from './server'

async function fill(page: Page) {
  const connection = page.getByRole('region', { name: 'Verbindung' })
  await connection.getByLabel('Server').fill('sftp.werk.example')
  await connection.getByLabel('Benutzername').fill('nordstahl')
  const price = page.getByRole('region', { name: 'Preisdatei' })
  await price.getByLabel('Datei abholen').check()
  await price.getByLabel('Dateiname').fill('preise_{yyyyMMdd}.csv')
  await price.getByLabel('Rhythmus').selectOption('Monatlich')
  await price.getByLabel('Tag').last().fill('31')
  await price.getByLabel('Uhrzeit').fill('6:00')
  await price.getByLabel('Uhrzeit').blur()
  return price
}

test('settings are saved with a schedule whose runs are shown, paused, undone and deleted', async ({ page }) => {
  await signIn(page, 'leitung@nordstahl.example', 'de')
  await page.goto('/ftp-settings')
  await expect(page.getByText('STALHOF_SECRET_KEYS_FILE')).toBeVisible()
  await inspect(page)
  await page.getByRole('button', { name: 'FTP-Einstellungen anlegen' }).press('Enter')
  const price = await fill(page)
  await expect(price.getByText('Der Monat hat keinen 31. Tag; der letzte Tag gilt.').first()).toBeVisible()
  await inspect(page)
  await page.getByRole('button', { name: 'Speichern' }).press('Enter')
  await expect(page.getByText('„sftp.werk.example“ wurde gespeichert')).toBeVisible()

  await test.step('what was saved is there again', async () => {
    await page.reload()
    await expect(page.getByLabel('Server').first()).toHaveValue('sftp.werk.example')
    await expect(price.getByLabel('Uhrzeit')).toHaveValue('06:00')
  })
  await test.step('a pause is undone', async () => {
    await price.getByRole('button', { name: 'Pausieren' }).press('Enter')
    await keepMessage(page)
    await expect(price.getByText('Pausiert: Es wird nichts abgeholt.')).toBeVisible()
    await page.getByRole('button', { name: 'Rückgängig' }).press('Enter')
    await expect(price.getByRole('button', { name: 'Pausieren' })).toBeVisible()
  })
  await test.step('a faulty field is named', async () => {
    await page.getByLabel('Basispfad').fill('/export/../etc')
    await page.getByRole('button', { name: 'Speichern' }).press('Enter')
    await expect(page.getByText('Nur „/“ trennt Ordner')).toBeVisible()
    await page.getByRole('button', { name: 'Änderungen verwerfen' }).press('Enter')
  })
  await test.step('and in English', async () => {
    await page.getByRole('button', { name: 'English' }).press('Enter')
    await expect(page.getByRole('region', { name: 'Price file' }).getByRole('heading', { name: 'Next runs' })).toBeVisible()
    await page.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await expect(page.getByText('No FTP settings yet')).toBeVisible()
  })
})
