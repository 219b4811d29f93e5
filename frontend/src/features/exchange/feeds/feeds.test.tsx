import { screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { FeedState, FtpFeedRun } from '~/api/schema'
import { changeLanguage } from '~/i18n/i18n'
import { externalApiRow } from '~/test/fixtures/external-api-row'
import { ftpSettingsRow } from '~/test/fixtures/ftp-settings-row'
import { webhookRow } from '~/test/fixtures/webhook-row'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'

const feed = (change: Partial<FeedState>): FeedState => ({
  tenant: { id: 1, company: 'Nordstahl Handel GmbH' },
  settings_id: 1,
  file: 'stock',
  host: 'sftp.werk.example',
  light: 'green',
  reason: null,
  arrived_at: '2026-11-27T05:00:10Z',
  file_name: 'bestand_20261127.csv',
  expected_by: '2026-11-28T06:00:00Z',
  next_run_at: '2026-11-28T05:00:00Z',
  rows: { import_id: 1, total: 1980, usual: 2010, refused: 12, waiting: 1 },
  ...change,
})

const run = (change: Partial<FtpFeedRun>): FtpFeedRun => ({
  id: 1,
  file: 'stock',
  cause: 'schedule',
  asked_by: null,
  created_at: '2026-11-27T05:00:00Z',
  started_at: '2026-11-27T05:00:00Z',
  finished_at: '2026-11-27T05:00:12Z',
  outcome: 'imported',
  failure: null,
  message: null,
  answer: null,
  file_name: 'bestand_20261127.csv',
  bytes: 48210,
  sha256: 'a'.repeat(64),
  import: { id: 1, status: 'Success' },
  ...change,
})

beforeEach(() => changeLanguage('de'))

describe('the board', () => {
  it('shows status, reason and last import of each feed', async () => {
    db.feeds.push(
      feed({ light: 'broken', reason: 'Der Server weist das Passwort ab.', file: 'price', rows: null, arrived_at: null, file_name: null }),
      feed({ light: 'late' }),
    )
    renderApp('/feeds', 'tenantAdmin')
    const rows = (await screen.findAllByRole('row')).slice(1)
    const [brokenRow, lateRow] = rows.map((row) => within(row))
    expect(brokenRow?.getByText('Gestört')).toBeInTheDocument()
    expect(brokenRow?.getByText('Der Server weist das Passwort ab.')).toBeInTheDocument()
    expect(brokenRow?.getByRole('link', { name: 'Preisdatei' })).toHaveAttribute('href', '/ftp-settings')
    expect(lateRow?.getByText('Überfällig')).toBeInTheDocument()
    expect(lateRow?.getByText('Erwartet bis Sa 28.11.2026 07:00 Uhr, aber nicht eingetroffen.')).toBeInTheDocument()
    expect(lateRow?.getAllByRole('link', { name: '1.980 Zeilen' })[0]).toHaveAttribute('href', '/imports/1')
    expect(lateRow?.getAllByText('üblich: 2.010')).not.toHaveLength(0)
    expect(lateRow?.getAllByText('12 abgelehnt, 1 wartet')).not.toHaveLength(0)
  })

  it('names the tenants for the platform, and links to their settings', async () => {
    db.feeds.push(feed({}))
    renderApp('/feeds', 'admin')
    expect(await screen.findByText('Nordstahl Handel GmbH')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Bestandsdatei' })).toHaveAttribute('href', '/ftp-settings?tenantId=1')
  })

  it('links to the settings while no file is fetched', async () => {
    renderApp('/feeds', 'tenantAdmin')
    expect(await screen.findByText('Es wird noch keine Datei abgeholt')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Zu den FTP-Einstellungen' })).toHaveAttribute('href', '/ftp-settings')
  })
})

describe('external APIs on the board', () => {
  it('have the same status lights, with the reason and the end of a pause', async () => {
    db.externalApis.push(
      externalApiRow({
        state: {
          status: 'open',
          failures_in_row: 5,
          open_until: '2026-11-28T12:00:00Z',
          last_success_at: null,
          last_failure: { at: '2026-11-28T11:55:00Z', code: 'remote_credential_missing', text: 'Keine Antwort innerhalb von 3 s.' },
        },
      }),
    )
    renderApp('/feeds', 'tenantAdmin')
    const table = await screen.findByRole('table', { name: 'Externe APIs' })
    const [, row] = within(table).getAllByRole('row')
    expect(row).toHaveTextContent('Gestört')
    expect(row).toHaveTextContent('Keine Antwort innerhalb von 3 s.')
    expect(row).toHaveTextContent('Wird bis Sa 28.11.2026 13:00 Uhr nicht gefragt.')
    expect(within(table).getByRole('link')).toHaveAttribute('href', '/external-apis')
  })

  it('are shown only to users who may configure them', async () => {
    for (const one of db.users) one.permissions = one.permissions.filter(({ name }) => name !== 'configure-external-api')
    renderApp('/feeds', 'tenantAdmin')
    expect(await screen.findByText('Es wird noch keine Datei abgeholt')).toBeInTheDocument()
    expect(screen.queryByText('Noch keine externe API')).not.toBeInTheDocument()
  })
})

describe('webhooks on the board', () => {
  it('have the same status lights, the worst first, with their reason', async () => {
    db.webhooks.push(
      webhookRow({ id: 2, url: 'https://lager.kunde.example/hook' }),
      webhookRow({}, { status: 'paused', pause_reason: 'undeliverable', pending: 12, last_failure: 'Keine Antwort innerhalb von 15 s.' }),
    )
    renderApp('/feeds', 'tenantAdmin')
    const table = await screen.findByRole('table', { name: 'Webhooks' })
    const rows = within(table).getAllByRole('row').slice(1)
    expect(rows.map((row) => within(row).getByRole('link').getAttribute('href'))).toEqual(['/webhooks/1', '/webhooks/2'])
    expect(rows[0]).toHaveTextContent('Angehalten')
    expect(rows[0]).toHaveTextContent('Keine Antwort innerhalb von 15 s.')
    expect(rows[1]).toHaveTextContent('In Ordnung')
  })

  it('are shown only to users who may configure them', async () => {
    for (const one of db.users) one.permissions = one.permissions.filter(({ name }) => name !== 'configure-webhooks')
    renderApp('/feeds', 'tenantAdmin')
    expect(await screen.findByText('Es wird noch keine Datei abgeholt')).toBeInTheDocument()
    expect(screen.queryByText('Noch kein Webhook')).not.toBeInTheDocument()
  })
})

describe('the runs', () => {
  it('show the result of each, and can be started by hand', async () => {
    db.ftpSettings.push(ftpSettingsRow({ stock_file: { enabled: true, file_name: 'bestand_*.csv', transformer: 'standard' } }))
    db.feedRuns.push(
      run({
        id: 2,
        outcome: 'failed',
        failure: 'remote_file_missing',
        message: 'Die Datei fehlt.',
        answer: '550 No such file',
        import: null,
      }),
      run({}),
    )
    const { user } = renderApp('/ftp-settings', 'tenantAdmin')
    expect(await screen.findByText(/Bestandsdatei, Fehlgeschlagen/)).toBeInTheDocument()
    expect(screen.getByText('Antwort des Servers: 550 No such file')).toBeInTheDocument()
    expect(screen.getAllByText(/^nach Zeitplan · bestand_20261127.csv · .* · Dauer 12 s$/)[0]).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Import öffnen' })).toHaveAttribute('href', '/imports/1')
    await user.click(screen.getByRole('button', { name: 'Bestandsdatei: Jetzt abholen' }))
    expect(await screen.findByText(/Bestandsdatei, Beginnt gleich/)).toBeInTheDocument()
    expect(db.feedRuns[0]).toMatchObject({ cause: 'by_hand', file: 'stock' })
    await user.click(screen.getByRole('button', { name: 'Erneut importieren' }))
    expect(await screen.findByText(/erneut importiert/)).toBeInTheDocument()
  })
})
