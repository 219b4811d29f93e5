import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ExternalApi, ExternalListEndpoint } from '~/api/schema'
import { changeLanguage } from '~/i18n/i18n'
import { externalApiRow } from '~/test/fixtures/external-api-row'
import { renderApp } from '~/test/render'
import { db, requests, server } from '~/test/server'

const list: ExternalListEndpoint = { path: 'articles', list: '/articles', number: '/no', name: '/name', gtin: null, next_page: null }
const withLists = (part = {}) =>
  externalApiRow({ meta_data: { articles: list, warehouses: { ...list, path: 'warehouses' }, tenants: null }, ...part })
const FETCH = 'POST /api/admin/external-apis/1/import-meta-data'

beforeEach(() => changeLanguage('de'))

describe('the upload of lists of another system', () => {
  async function open() {
    const { user, path } = renderApp('/imports/new', 'tenantAdmin')
    await user.selectOptions(await screen.findByLabelText('Inhalt *'), 'Metadaten externer APIs')
    const part = within(await screen.findByRole('region', { name: /Statt einer Datei/ }))
    return { user, path, part, fetch: await part.findByRole('button', { name: 'Jetzt holen' }) }
  }

  it('fetches them instead of a file, and opens the import', async () => {
    db.externalApis.push(withLists())
    const { user, path, part, fetch } = await open()
    expect(fetch).toHaveAccessibleDescription('erp.nordstahl.example/api wird gefragt nach: Artikel und Lager.')
    const imported = db.imports.length + 1
    await user.click(fetch)
    await waitFor(() => expect(path()).toBe(`/imports/${imported}`))
    expect(requests.filter((request) => request === FETCH)).toHaveLength(1)
    expect(part.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('shows the error, and links to the API', async () => {
    db.externalApis.push(withLists())
    const message = 'Der Server lehnt die Anmeldung ab.'
    server.use(
      http.post('/api/admin/external-apis/:id/import-meta-data', () =>
        HttpResponse.json({ code: 'api_unauthorized', message, errors: {}, request_id: 'r' }, { status: 422 }),
      ),
    )
    const { user, path, part, fetch } = await open()
    await user.click(fetch)
    expect(await part.findByText(message)).toBeVisible()
    expect(part.getByText('Die Listen wurden nicht geholt')).toBeVisible()
    expect(part.getByRole('link', { name: 'Externe API öffnen' })).toHaveAttribute('href', '/external-apis')
    expect(path()).toBe('/imports/new')
  })

  it.each([
    [null, 'Es ist noch keine externe API eingerichtet.'],
    [externalApiRow(), /noch keine Liste von Artikeln oder Lagern/],
    [withLists({ active: false }), /ist ausgeschaltet/],
  ])('shows missing settings: %#', async (row, reason) => {
    if (row) db.externalApis.push(row)
    const { fetch } = await open()
    expect(fetch).toBeDisabled()
    expect(fetch).toHaveAccessibleDescription(reason)
  })
})

describe('the page of the API', () => {
  const fetched = (part: Partial<NonNullable<ExternalApi['last_fetch']>> = {}) => ({
    at: '2026-11-28T08:00:00Z',
    import_id: null,
    failure: null,
    unchanged: false,
    ...part,
  })
  async function open() {
    const { user } = renderApp('/external-apis', 'tenantAdmin')
    await user.click(await screen.findByRole('tab', { name: /Artikel und Lager/ }))
    return { user, part: within(await screen.findByRole('region', { name: 'Listen holen' })) }
  }

  it('fetches them by schedule', async () => {
    db.externalApis.push(withLists())
    const { user, part } = await open()
    await user.click(part.getByLabelText('Nach Zeitplan holen'))
    expect(part.getByRole('button', { name: 'Jetzt holen' })).toHaveAccessibleDescription(/^Speichern Sie die Änderungen/)
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(part.getByLabelText('Uhrzeit *')).toHaveAccessibleDescription('Pflichtfeld'))
    await user.type(part.getByLabelText('Uhrzeit *'), '6:00')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    const schedule = { type: 'daily', day: null, day_2: null, time: '06:00', time_2: null, paused: false }
    await waitFor(() => expect(db.externalApis[0]).toMatchObject({ schedule }))
    await waitFor(() => expect(part.getByRole('button', { name: 'Jetzt holen' })).toBeEnabled())
    await user.click(part.getByLabelText('Nach Zeitplan holen'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(db.externalApis[0]?.schedule).toBeNull())
  })

  it('fetches them on demand', async () => {
    db.externalApis.push(withLists())
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Jetzt holen' }))
    await waitFor(() => expect(requests).toContain(FETCH))
    expect(await screen.findByText(/^Die Listen sind geholt und werden importiert/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'Import öffnen' })).toHaveAttribute('href', `/imports/${db.imports.length}`)
  })

  it('updates the last fetch after a failure', async () => {
    db.externalApis.push(withLists())
    const message = 'Der Server lehnt die Anmeldung ab.'
    server.use(
      http.post('/api/admin/external-apis/:id/import-meta-data', () => {
        db.externalApis[0] = withLists({ last_fetch: fetched({ failure: message }) })
        return HttpResponse.json({ code: 'api_unauthorized', message, errors: {}, request_id: 'r' }, { status: 422 })
      }),
    )
    const { user, part } = await open()
    await user.click(part.getByRole('button', { name: 'Jetzt holen' }))
    expect(await part.findByText('Die Listen wurden nicht geholt')).toBeVisible()
    expect(await part.findByText(/^Zuletzt geholt/)).toBeVisible()
  })

  it.each([
    [fetched({ import_id: 7 }), /^Zuletzt geholt: Sa 28\.11\.2026 09:00 Uhr/, '/imports/7'],
    [fetched({ unchanged: true }), /Es hatte sich nichts geändert\./, null],
    [fetched({ failure: 'Der Server lehnt die Anmeldung ab.' }), 'Der Server lehnt die Anmeldung ab.', null],
  ])('shows the result of the last fetch: %#', async (last_fetch, text, href) => {
    db.externalApis.push(withLists({ last_fetch }))
    const { part } = await open()
    expect(part.getByText(text)).toBeInTheDocument()
    const link = part.queryByRole('link', { name: 'Import öffnen' })
    if (href) expect(link).toHaveAttribute('href', href)
    else expect(link).not.toBeInTheDocument()
  })

  it('offers no fetch without a list', async () => {
    db.externalApis.push(externalApiRow())
    const { user } = renderApp('/external-apis', 'tenantAdmin')
    await user.click(await screen.findByRole('tab', { name: /Artikel und Lager/ }))
    expect(screen.queryByRole('region', { name: 'Listen holen' })).not.toBeInTheDocument()
  })
})
