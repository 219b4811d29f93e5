import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FtpTest } from '~/api/schema'
import { changeLanguage } from '~/i18n/i18n'
import { ftpSettingsRow } from '~/test/fixtures/ftp-settings-row'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { db } from '~/test/server'
import { clearsFtpSecret, type FtpForm, ftpSettingsSchema, toForm } from './schema'

const PAGE = '/ftp-settings'
const field = (name: string) => screen.findByLabelText(name)
const card = async (name: string) => within(await screen.findByRole('region', { name }))

async function fill(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'FTP-Einstellungen anlegen' }))
  await user.type(await field('Server *'), 'sftp.werk.example')
  await user.type(await field('Benutzername *'), 'nord')
  await user.type(await field('Passwort'), 'geheim')
  const price = await card('Preisdatei')
  await user.click(price.getByLabelText('Datei abholen'))
  await user.type(price.getByLabelText('Dateiname *'), 'preise_*.csv')
  return price
}

beforeEach(() => changeLanguage('de'))

describe('the page', () => {
  it('starts empty, saves settings, and then neither shows nor requires the password', async () => {
    const { user } = renderApp(PAGE, 'tenantAdmin')
    expect(await screen.findByText('Noch keine FTP-Einstellungen')).toBeInTheDocument()
    const price = await fill(user)
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    expect(price.getByLabelText('Uhrzeit *')).toHaveAccessibleDescription('Pflichtfeld')
    await user.type(price.getByLabelText('Uhrzeit *'), '6:00')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.ftpSettings).toHaveLength(1))
    expect(db.ftpSettings[0]).toMatchObject({ host: 'sftp.werk.example', port: 22, password_set: true, stock_file: { enabled: false } })
    expect(db.ftpSettings[0]?.schedules).toMatchObject({ price: { type: 'daily', time: '06:00', day: null }, stock: null })
    await waitFor(async () => expect(await field('Passwort')).toHaveValue(''))
    expect(await field('Passwort')).toHaveAttribute('placeholder', 'Unverändert')
  })

  it('previews the next runs of a schedule during input, with their reasons', async () => {
    const { user } = renderApp(PAGE, 'tenantAdmin')
    const price = await fill(user)
    await user.selectOptions(price.getByLabelText('Rhythmus *'), 'Monatlich')
    await user.type(price.getByLabelText('Tag *'), '31')
    await user.type(price.getByLabelText('Uhrzeit *'), '6:00')
    expect(await price.findByText('Der Monat hat keinen 31. Tag; der letzte Tag gilt.')).toBeInTheDocument()
    expect(price.getByText(/So 28\.02\.2027/)).toBeInTheDocument()
  })

  it('warns before a change of the server removes the password', async () => {
    db.ftpSettings.push(ftpSettingsRow())
    const { user } = renderApp(PAGE, 'tenantAdmin')
    const warning = () => screen.queryByText(/hinterlegtes Passwort und privater Schlüssel gelöscht/)
    await user.type(await field('Server *'), '.de')
    expect(await screen.findByText(/hinterlegtes Passwort und privater Schlüssel gelöscht/)).toBeInTheDocument()
    await user.type(await field('Passwort'), 'neu')
    await waitFor(() => expect(warning()).not.toBeInTheDocument())
  })

  it('pauses and resumes a schedule', async () => {
    db.ftpSettings.push(ftpSettingsRow())
    const { user } = renderApp(PAGE, 'tenantAdmin')
    const price = await card('Preisdatei')
    await user.click(await price.findByRole('button', { name: 'Pausieren' }))
    await waitFor(() => expect(db.ftpSettings[0]?.schedules.price?.paused).toBe(true))
    expect(await price.findByText('Pausiert: Es wird nichts abgeholt.')).toBeInTheDocument()
    await user.click(await price.findByRole('button', { name: 'Fortsetzen' }))
    await waitFor(() => expect(db.ftpSettings[0]?.schedules.price?.paused).toBe(false))
  })

  it('shows the operator’s task while there is no key, and accepts no password', async () => {
    db.ftpOptions = { secrets_available: false, plain_ftp_allowed: false }
    const { user } = renderApp(PAGE, 'tenantAdmin')
    expect(await screen.findByText(/STALHOF_SECRET_KEYS_FILE/)).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'FTP-Einstellungen anlegen' }))
    expect(await field('Passwort')).toBeDisabled()
    expect(screen.getByRole('option', { name: /^FTP \(unverschlüsselt\)/ })).toBeDisabled()
  })

  it('saves the key of an SFTP server', async () => {
    db.ftpSettings.push(ftpSettingsRow())
    const { user } = renderApp(PAGE, 'tenantAdmin')
    await user.type(await field('Schlüssel des Servers'), 'ssh-ed25519 SHA256:abc')
    await user.click(screen.getByRole('button', { name: 'Schlüssel eintragen' }))
    await waitFor(() => expect(db.ftpSettings[0]?.host_key).toBe('ssh-ed25519 SHA256:abc'))
  })
})

describe('the test of the connection', () => {
  it('works before saving and without a schedule, and shows the result of each step', async () => {
    db.ftpTest = passed()
    const { user } = renderApp(PAGE, 'tenantAdmin')
    await fill(user)
    const panel = await card('Verbindung testen')
    await user.click(panel.getByRole('button', { name: 'Verbindung testen' }))
    await waitFor(() => expect(panel.getByRole('status')).toHaveTextContent('Alle Schritte waren erfolgreich.'))
    expect(db.ftpSettings).toHaveLength(0)
    expect(db.ftpTested).toMatchObject({
      file: 'price',
      settings: { host: 'sftp.werk.example', password: 'geheim', price_file: { enabled: false, file_name: 'preise_*.csv' } },
    })
    const steps = panel.getAllByRole('listitem')
    expect(steps).toHaveLength(5)
    expect(steps[0]).toHaveTextContent('Verbinden · erfolgreich · 0,41 s')
    expect(steps[1]).toHaveTextContent('Einträge im Ordner: 12, passende Dateien: 2')
    expect(steps[3]).toHaveTextContent('nicht ausgeführt')
    expect(steps[3]).toHaveTextContent('Nicht nötig: Die Datei wird gelesen, wie sie ist.')
    expect(steps[4]).toHaveTextContent('Nicht gelesene Spalten: Farbe')
    expect(steps[4]).toHaveTextContent('Abgelehnt (1), zuerst Zeile 3: Preis: Keine Zahl')
    // only the key of a saved server can be trusted
    expect(panel.queryByRole('button', { name: 'Schlüssel eintragen' })).not.toBeInTheDocument()
  })

  it('names the failed step and its solution, and requires missing fields first', async () => {
    db.ftpTest = failed()
    const { user } = renderApp(PAGE, 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'FTP-Einstellungen anlegen' }))
    const panel = await card('Verbindung testen')
    await user.click(panel.getByRole('button', { name: 'Verbindung testen' }))
    expect(await field('Server *')).toHaveAccessibleDescription(/Pflichtfeld/)
    expect(db.ftpTested).toBeNull()
    await user.type(await field('Server *'), 'sftp.werk.example')
    await user.type(await field('Benutzername *'), 'nord')
    await user.click(panel.getByRole('button', { name: 'Verbindung testen' }))
    await waitFor(() => expect(panel.getByRole('status')).toHaveTextContent('Fehlgeschlagen ist: Verbinden.'))
    expect(db.ftpTested?.file).toBeNull()
    expect(panel.getAllByRole('listitem')[0]).toHaveTextContent('Bitte prüfen Sie den Benutzernamen.Antwort des Servers: 530 no')
  })

  it('offers to trust the key of a saved server', async () => {
    db.ftpSettings.push(ftpSettingsRow())
    db.ftpTest = passed()
    const { user } = renderApp(PAGE, 'tenantAdmin')
    const panel = await card('Verbindung testen')
    await user.click(panel.getByRole('button', { name: 'Verbindung testen' }))
    await user.click(await panel.findByRole('button', { name: 'Schlüssel eintragen' }))
    await waitFor(() => expect(db.ftpSettings[0]?.host_key).toBe('ssh-ed25519 SHA256:abc'))
  })
})

it('a stored password is removed after confirmation', async () => {
  db.ftpSettings.push(ftpSettingsRow())
  const { user } = renderApp(PAGE, 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Passwort entfernen' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Entfernen' }))
  await waitFor(() => expect(db.ftpSettings[0]?.password_set).toBe(false))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Passwort entfernen' })).not.toBeInTheDocument())
})

const step = (name: FtpTest['steps'][number]['step'], outcome: FtpTest['steps'][number]['outcome']): FtpTest['steps'][number] => ({
  step: name,
  outcome,
  duration_ms: outcome === 'skipped' ? null : 412,
  answer: null,
  code: null,
  message: null,
})

const passed = (): FtpTest => ({
  steps: [step('connect', 'done'), step('list', 'done'), step('fetch', 'done'), step('transform', 'skipped'), step('plan', 'done')],
  host_key: 'ssh-ed25519 SHA256:abc',
  folder: { entries: 12, unsafe_names: 0, matching: 2, names: ['preise_2.csv', 'preise_1.csv'] },
  fetched: { name: 'preise_2.csv', bytes: 48_213 },
  transformed: null,
  plan: {
    type: 'Price',
    rows: 2,
    columns: [
      { name: 'Art.-Nr.', field: 'Artikelnummer' },
      { name: 'Farbe', field: null },
    ],
    problems: [],
    counts: { created: 0, updated: 1, unchanged: 0, refused: 1, held: 0, unresolved: 0 },
    refused: [{ column: 'Preis', rows: 1, line: 3, message: 'Keine Zahl' }],
  },
})

const failed = (): FtpTest => ({
  steps: [
    { ...step('connect', 'failed'), answer: '530 no', code: 'remote_sign_in_refused', message: 'Bitte prüfen Sie den Benutzernamen.' },
    step('list', 'skipped'),
    step('fetch', 'skipped'),
    step('transform', 'skipped'),
    step('plan', 'skipped'),
  ],
  host_key: null,
  folder: null,
  fetched: null,
  transformed: null,
  plan: null,
})

it('a secret is lost with another connection, unless it is entered again', () => {
  const row = ftpSettingsRow()
  const lost = (change: Partial<FtpForm>) => clearsFtpSecret(row, { ...toForm(row), ...change })
  expect([{}, { host: 'SFTP.werk.example ' }, { port: '' }, { base_path: '/x' }].map(lost)).toEqual([false, false, false, false])
  const changes = [{ host: 'x' }, { port: '2222' }, { protocol: 'ftps' as const }, { username: 'x' }]
  expect(changes.map(lost)).toEqual([true, true, true, true])
  expect(changes.map((change) => lost({ ...change, password: 'neu' }))).toEqual([false, false, false, false])
  expect(clearsFtpSecret({ ...row, password_set: false }, { ...toForm(row), host: 'x' })).toBe(false)
})

/** Converts an input of the server to the values of the form. */
function form(input: Record<string, unknown>): FtpForm {
  const partial = input as unknown as Partial<FtpForm>
  const empty = toForm(null)
  const plan = (one: object | null | undefined) =>
    Object.fromEntries(
      Object.entries({ ...empty.schedules.price, ...one }).map(([name, value]) => [
        name,
        typeof value === 'number' ? String(value) : value,
      ]),
    )
  return {
    ...empty,
    ...partial,
    port: String(partial.port ?? ''),
    price_file: { ...empty.price_file, ...partial.price_file },
    stock_file: { ...empty.stock_file, ...partial.stock_file },
    price_profile_id: partial.price_profile_id || null,
    stock_profile_id: partial.stock_profile_id || null,
    schedules: { price: plan(partial.schedules?.price), stock: plan(partial.schedules?.stock) } as FtpForm['schedules'],
  }
}

describe('the rules of the server', () => {
  itKeepsRules('ftp_settings.json', ftpSettingsSchema, form, [
    // the form leaves these to the server, or leaves out fields that do not belong to a choice
    'invalid_host',
    'not_printable',
    'plain_ftp_forbidden',
    'not_for_protocol',
    'private_key_needs_sftp',
    'private_key_invalid',
    'authority_invalid',
    'only_when_moved',
    'not_for_transformer',
    'only_for_bmecat',
    'not_for_schedule',
  ])
})
