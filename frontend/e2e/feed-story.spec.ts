import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from '@playwright/test'
import { inspect } from './axe'
import { expect, signIn, test } from './server'
import { type SftpServer, startSftp } from './sftp'

// allows passwords and keys, and connections to this machine
test.use({ environment: { STALHOF_SECRET_KEYS: Buffer.alloc(32, 7).toString('base64'), STALHOF_OUTBOUND_NETWORKS: '127.0.0.0/8' } })
test.skip(Boolean(process.env.STALHOF_URL), 'lets a week pass in the database')

const USER = 'leitung@nordstahl.example'
const DAY_MS = 86_400_000
/** File with the supplier's own headings, and without a warehouse. */
const FILE = ['Teil;Vorrat', 'HEB-200-S235JR-12.1;17'].join('\r\n')
/** Subject of the mail in either language of its reader. */
const MISSED = /Die Bestandsdatei von 127\.0\.0\.1 ist nicht gekommen|The stock file from 127\.0\.0\.1 has not come/

let server: SftpServer | null = null
test.beforeAll(async () => {
  server = await startSftp()
})
test.afterAll(() => server?.stop())

/** Changes the database of the running server. */
function inDatabase(data: string, sql: string, ...values: string[]) {
  const database = new DatabaseSync(join(data, 'stalhof.db'))
  database.exec('PRAGMA busy_timeout = 5000')
  database.prepare(sql).run(...values)
  database.close()
}

const moment = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().replace('T', ' ').replace('Z', '+00:00')

/**
 * Moves back the times of the settings and of the last file by some days, and makes the watch over feeds
 * due.
 */
function daysPass(data: string, days: number) {
  inDatabase(data, 'UPDATE ftp_settings SET updated_at = ?', moment(days))
  inDatabase(data, 'UPDATE feed_run SET created_at = ?1, started_at = ?1, finished_at = ?1, updated_at = ?1', moment(days))
  watchIsDue(data)
}

/** Makes the watch over feeds due. A running one sets its next time itself when it ends. */
function watchIsDue(data: string) {
  inDatabase(data, "UPDATE background_job SET due_at = ? WHERE name = 'feed_health'", moment(1))
}

/** Assigns the columns of the supplier's file, adds the warehouse, and saves both as a profile. */
async function saveProfile(page: Page) {
  await page.goto('/imports/new')
  const form = page.getByRole('dialog', { name: 'Datei importieren' })
  await form.getByLabel('Inhalt').first().selectOption('Stock')
  await page.locator('input[type=file]').setInputFiles({ name: 'bestand.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) })
  const columns = form.getByRole('region', { name: 'Spalten der Datei' })
  await columns.getByLabel('Teil', { exact: true }).selectOption({ label: 'Artikelnummer' })
  await columns.getByLabel('Vorrat', { exact: true }).selectOption({ label: 'Menge' })
  await columns.getByRole('textbox', { name: 'Lager', exact: true }).fill('HH')
  await form.getByRole('button', { name: 'Als Profil speichern' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Importprofil speichern' })
  await dialog.getByLabel('Name').fill('Lieferant West')
  await dialog.getByLabel('Name').press('Enter')
  await expect(form.getByLabel('Importprofil', { exact: true })).toHaveValue(/\d+/)
}

test('a supplier’s SFTP is connected, tested and read, and a missing file is reported', async ({ page, data }) => {
  test.skip(server === null, 'OpenSSH’s server is not installed')
  if (!server) return
  test.slow()
  writeFileSync(join(server.folder, 'bestand.csv'), FILE)
  await signIn(page, USER, 'de')
  await test.step('mails about problems are switched on', async () => {
    await page.goto('/profile')
    await page.getByLabel('E-Mails zu Importen und Dateiabrufen').selectOption('problems')
    await page.getByRole('button', { name: 'Speichern' }).first().press('Enter')
    await expect(page.getByLabel('E-Mails zu Importen und Dateiabrufen')).toHaveValue('problems')
  })
  await saveProfile(page)

  await page.goto('/ftp-settings')
  await page.getByRole('button', { name: 'FTP-Einstellungen anlegen' }).press('Enter')
  const connection = page.getByRole('region', { name: 'Verbindung', exact: true })
  const stock = page.getByRole('region', { name: 'Bestandsdatei' })
  const panel = page.getByRole('region', { name: 'Verbindung testen' })
  await test.step('the connection and the file are entered', async () => {
    await connection.getByLabel('Server').fill('127.0.0.1')
    await connection.getByRole('textbox', { name: 'Port' }).fill(String(server?.port))
    await connection.getByLabel('Benutzername').fill(server?.user ?? '')
    await connection.getByLabel('Basispfad').fill(server?.folder ?? '')
    await connection.getByLabel('Privater Schlüssel').fill(server?.key ?? '')
    await stock.getByLabel('Datei abholen').press('Space')
    await stock.getByLabel('Dateiname').fill('bestand*.csv')
    await stock.getByLabel('Format').selectOption({ label: 'Importprofil' })
    await stock.getByLabel('Importprofil').selectOption({ label: 'Lieferant West' })
    await stock.getByLabel('Rhythmus').selectOption({ label: 'Wöchentlich' })
    await stock.getByLabel('Wochentag').selectOption({ label: 'Montag' })
    await stock.getByLabel('Uhrzeit').fill('6:00')
  })
  await test.step('the schedule is shown before anything is saved', async () => {
    await panel.getByRole('button', { name: 'Verbindung testen' }).press('Enter')
    await expect(panel.getByRole('status')).toHaveText('Der Test ist abgeschlossen. Alle Schritte waren erfolgreich.')
    await expect(panel.getByText('Erkannte Spalten: Teil und Vorrat')).toBeVisible()
    await expect(panel.getByText(/abgelehnt: 0, zur Freigabe: 0, ohne Zuordnung: 0/)).toBeVisible()
    await inspect(page)
  })
  await test.step('it is saved, and its file is fetched', async () => {
    await page.getByRole('button', { name: 'Speichern' }).press('Enter')
    await expect(page.getByText('„127.0.0.1“ wurde gespeichert')).toBeVisible()
    const runs = page.getByRole('region', { name: 'Letzte Abrufe' })
    await runs.getByRole('button', { name: 'Jetzt abholen' }).press('Enter')
    // a file counts as complete after two checks ten seconds apart
    await expect(runs.getByText('Importiert')).toBeVisible({ timeout: 90_000 })
    await inspect(page)
  })
  await test.step('after a Monday without a file a mail reports it', async () => {
    daysPass(data, 8)
    await page.goto('/feeds')
    await expect(page.getByRole('cell', { name: 'Überfällig' })).toBeVisible()
    await expect(page.getByText(/^Erwartet bis Mo/)).toBeVisible()
    await inspect(page)
    await page.getByRole('button', { name: 'English' }).press('Enter')
    await expect(page.getByRole('cell', { name: /Late/ })).toBeVisible()
    await page.evaluate(() => localStorage.clear())
    await expect(async () => {
      watchIsDue(data)
      await page.goto('/login')
      await page.getByRole('button', { name: /E-Mails der Demo|Demo e-mails/ }).click()
      const mails = page.getByRole('dialog').getByRole('listitem')
      await expect(mails.filter({ hasText: MISSED }).first()).toBeVisible({ timeout: 2_000 })
    }).toPass({ timeout: 90_000 })
  })
})
