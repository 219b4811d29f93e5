import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { deliveryRow, webhookRow } from '~/test/fixtures/webhook-row'
import { renderApp } from '~/test/render'
import { db } from '~/test/server'
import { lightOf } from './light'

it('creates a webhook, shows its secret once, and opens its page', async () => {
  const { user, path } = renderApp('/webhooks/new', 'tenantAdmin')
  const write = vi.spyOn(navigator.clipboard, 'writeText')
  const form = within(await screen.findByRole('dialog', { name: 'Neuer Webhook' }))
  await user.type(form.getByLabelText('Adresse des Empfängers *'), 'http://erp.kunde.example')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  expect(await form.findByText('Bitte geben Sie eine Adresse an, die mit https:// beginnt.')).toBeInTheDocument()
  expect(form.getByText('Pflichtfeld')).toBeInTheDocument()
  await user.clear(form.getByLabelText('Adresse des Empfängers *'))
  await user.type(form.getByLabelText('Adresse des Empfängers *'), 'https://erp.kunde.example/stalhof')
  const box = form.getByRole('checkbox', { name: 'Preisliste gültig' })
  expect(box).toHaveAccessibleDescription('Eine Preisliste gilt ab jetzt.')
  await user.click(box)
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Signaturschlüssel' }))
  expect(dialog.getByLabelText('Signaturschlüssel')).toHaveValue('whsec_first')
  await user.click(dialog.getByRole('button', { name: 'Schlüssel kopieren' }))
  expect(write).toHaveBeenCalledWith('whsec_first')
  await user.click(dialog.getByRole('button', { name: 'Schließen' }))
  await waitFor(() => expect(path()).toBe('/webhooks/1'))
  expect(await screen.findByRole('heading', { name: 'erp.kunde.example' })).toBeInTheDocument()
  expect(screen.queryByDisplayValue('whsec_first')).not.toBeInTheDocument()
  expect(db.webhooks[0]).toMatchObject({ events: ['price_list.activated'], ca_certificate: null })
})

it('creates none while the server has no key for secrets, and explains the solution', async () => {
  db.webhookOptions = { secrets_available: false }
  renderApp('/webhooks', 'tenantAdmin')
  expect(await screen.findByText(/STALHOF_SECRET_KEYS_FILE/)).toBeInTheDocument()
  expect(await screen.findByText('Noch keine Webhooks')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /Neuer Webhook/ })).not.toBeInTheDocument()
})

describe('the list', () => {
  it('shows status light, pending events and the last success of each', async () => {
    db.webhooks.push(webhookRow({}, { status: 'failing', pending: 1200, last_success_at: null }))
    renderApp('/webhooks', 'tenantAdmin')
    const row = await screen.findByRole('row', { name: /erp\.kunde\.example/ })
    expect(row).toHaveTextContent('Gestört')
    expect(row).toHaveTextContent('1.200')
    expect(row).toHaveTextContent('Noch nie')
    expect(row).toHaveTextContent('Bestand geändert und Preis geändert')
  })

  it.each([
    [{ status: 'ok' }, 'green'],
    [{ status: 'unused' }, 'unused'],
    [{ status: 'failing' }, 'broken'],
    [{ status: 'inactive' }, 'broken'],
    [{ status: 'paused', pause_reason: 'by_hand' }, 'paused'],
    [{ status: 'paused', pause_reason: 'gone' }, 'stopped'],
    [{ status: 'paused', pause_reason: 'undeliverable' }, 'stopped'],
  ] as const)('has a status light for %o', (state, light) => {
    expect(lightOf(webhookRow({}, state).state)).toBe(light)
  })

  it('deletes after the host has been typed', async () => {
    db.webhooks.push(webhookRow())
    const { user } = renderApp('/webhooks', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Aktionen für erp.kunde.example' }))
    await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    expect(dialog.getByText(/Das lässt sich nicht rückgängig machen/)).toBeInTheDocument()
    await user.type(await dialog.findByLabelText(/Geben Sie zur Bestätigung/), 'erp.kunde.example')
    await user.click(dialog.getByRole('button', { name: 'Löschen' }))
    await waitFor(() => expect(db.webhooks).toHaveLength(0))
  })
})

describe('the page', () => {
  it('changes the events', async () => {
    db.webhooks.push(webhookRow())
    const { user } = renderApp('/webhooks/1', 'tenantAdmin')
    await user.click(await screen.findByRole('checkbox', { name: 'Datei überfällig' }))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.webhooks[0]?.events).toEqual(['stock.changed', 'price.changed', 'feed.late']))
  })

  it('shows the start, reason and solution of a failure', async () => {
    db.webhooks.push(
      webhookRow(
        {},
        {
          status: 'failing',
          pending: 3,
          failing_since: '2026-11-27T07:00:00Z',
          retry_at: '2026-11-28T12:00:00Z',
          last_failure: 'Die Verbindung wurde abgelehnt.',
        },
      ),
    )
    renderApp('/webhooks/1', 'tenantAdmin')
    const note = await screen.findByText('Seit Fr 27.11.2026 08:00 Uhr gelingt keine Zustellung')
    expect(note.closest('[role=note]')).toHaveTextContent(
      'Letzter Fehler: Die Verbindung wurde abgelehnt. 3 Ereignisse warten. Nächster Versuch: Sa 28.11.2026 13:00 Uhr.',
    )
  })

  it('pauses and resumes', async () => {
    db.webhooks.push(webhookRow())
    const { user } = renderApp('/webhooks/1', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Pausieren' }))
    expect(await screen.findByText('Pausiert: Es wird nichts gesendet')).toBeInTheDocument()
    expect(db.webhooks[0]?.state.status).toBe('paused')
    await user.click(screen.getByRole('button', { name: 'Fortsetzen' }))
    expect(await screen.findByRole('button', { name: 'Pausieren' })).toBeInTheDocument()
    expect(screen.queryByText('Pausiert: Es wird nichts gesendet')).not.toBeInTheDocument()
  })

  it('rotates the secret with an overlap, and shows the new one once', async () => {
    db.webhooks.push(webhookRow())
    const { user } = renderApp('/webhooks/1', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Schlüssel erneuern' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Signaturschlüssel erneuern' }))
    const overlap = dialog.getByLabelText('Bisheriger Schlüssel weiter gültig *')
    await user.selectOptions(overlap, 'Nein, sofort ungültig')
    expect(dialog.getByRole('status')).toHaveTextContent('Der Empfänger lehnt Zustellungen ab')
    await user.selectOptions(overlap, '7 Tage')
    await user.click(dialog.getByRole('button', { name: 'Schlüssel erneuern' }))
    expect(await screen.findByDisplayValue('whsec_second')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Schließen' }))
    expect(await screen.findByText(/^Bis .* wird auch mit dem bisherigen Schlüssel signiert\.$/)).toBeInTheDocument()
    expect(Date.parse(db.webhooks[0]?.previous_secret_until ?? '') / 3_600_000).toBeCloseTo(Date.now() / 3_600_000 + 168, 0)
  })
})

describe('the deliveries', () => {
  it('are filtered by event and status, and link to one', async () => {
    db.webhooks.push(webhookRow())
    db.webhookDeliveries.push(
      deliveryRow({ id: 2, event: 'price.changed', status: 'failed', last_status: 500, last_failure: 'Der Empfänger ist gestört.' }),
      deliveryRow(),
    )
    const { user, path, search } = renderApp('/webhooks/1/deliveries?f.status=failed', 'tenantAdmin')
    const row = await screen.findByRole('row', { name: /Preis geändert/ })
    expect(row).toHaveTextContent('Fehlgeschlagen')
    expect(row).toHaveTextContent('HTTP 500 · 120 ms')
    expect(row).toHaveTextContent('Der Empfänger ist gestört.')
    expect(screen.queryByRole('row', { name: /Bestand geändert/ })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Filter zurücksetzen' }))
    await user.click(await screen.findByRole('link', { name: 'Bestand geändert' }))
    await waitFor(() => expect(path()).toBe('/webhooks/1/deliveries/1'))
    expect(search()).toBe('')
  })

  it('show the request and each attempt, and are sent again', async () => {
    db.webhooks.push(webhookRow())
    db.webhookDeliveries.push(deliveryRow())
    const { user } = renderApp('/webhooks/1/deliveries/1', 'tenantAdmin')
    const attempts = within(await screen.findByRole('region', { name: 'Versuche' }))
    expect(attempts.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Sa 28.11.2026 08:00 Uhr · HTTP 503 · 40 msDer Empfänger ist überlastet.',
      'Sa 28.11.2026 08:00 Uhr · HTTP 200 · 120 ms',
    ])
    expect(screen.getByRole('region', { name: 'Inhalt' })).toHaveTextContent('"stock_id": 7')
    expect(screen.getByRole('region', { name: 'Kopfzeilen (ohne Signatur)' })).toHaveTextContent('webhook-id: msg_2f8a')
    await user.click(screen.getByRole('button', { name: 'Erneut senden' }))
    expect(await attempts.findByText(/von Hand/)).toBeInTheDocument()
  })

  it('are not sent again without their body', async () => {
    db.webhooks.push(webhookRow())
    db.webhookDeliveries.push(deliveryRow({ request: null }))
    renderApp('/webhooks/1/deliveries/1', 'tenantAdmin')
    expect(await screen.findByText(/Der Inhalt wird 30 Tage aufbewahrt/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Erneut senden' })).toBeDisabled()
  })

  it('include a test event, with its result', async () => {
    db.webhooks.push(webhookRow())
    const { user, path } = renderApp('/webhooks/1', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Testereignis senden' }))
    expect(await screen.findByRole('heading', { name: 'Testereignis' })).toBeInTheDocument()
    expect(path()).toBe('/webhooks/1/deliveries/1')
    expect(await screen.findByText('Zugestellt', { selector: '.MuiChip-label' })).toBeInTheDocument()
  })
})
