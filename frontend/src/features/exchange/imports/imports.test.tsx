import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { queryClient } from '~/api/query'
import type { Import } from '~/api/schema'
import { updateCachedImport } from '~/features/exchange/shared/live'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { renderApp } from '~/test/render'
import { collectSavedFiles } from '~/test/saved-files'
import { db, requests, server } from '~/test/server'
import { imports } from './api'
import { cacheQueuedImport } from './cache-queued-import'

const listed = () => requests.filter((request) => request.startsWith('GET /api/admin/imports?page[number]=') && request.includes('size]=4'))
const csv = () => new File(['Artikelnummer\r\nX1\r\n'], 'traeger.csv', { type: 'text/csv' })
const drawer = () => screen.findByRole('dialog')
const one = (id: number): Import => {
  const row = db.imports.find((candidate) => candidate.id === id)
  if (!row) throw new Error(`no import ${id}`)
  return row
}

describe('list', () => {
  it('requests the list with the parameters of the address, newest first', async () => {
    renderApp('/imports?f.status=PartialSuccess&f.type=Article')
    expect(await screen.findByRole('table')).toHaveAccessibleName('Importe')
    expect(listed()[0]).toBe(
      'GET /api/admin/imports?page[number]=1&page[size]=40&sort=-updated_at&filter[status]=PartialSuccess&filter[type]=Article&filter[dry_run]=false',
    )
    expect(await screen.findByRole('columnheader', { name: /Geändert/ })).toHaveAttribute('aria-sort', 'descending')
    expect(await screen.findByRole('link', { name: 'Artikelliste KW 42' })).toBeInTheDocument()
  })

  it('names an import without a name by its content, and shows its progress', async () => {
    renderApp('/imports')
    const row = (await screen.findAllByRole('link', { name: 'Artikel' }))
      .map((link) => link.closest('tr'))
      .find((candidate) => candidate?.textContent?.includes('480 von 1.200'))
    expect(within(row as HTMLElement).getByText('Läuft')).toBeInTheDocument()
    expect(within(row as HTMLElement).getByRole('progressbar', { name: 'Fortschritt des Imports' })).toHaveAttribute('aria-valuenow', '40')
  })

  it("shows the tenant only to platform users, and lets a tenant's users import files", async () => {
    const { unmount } = renderApp('/imports')
    expect(await screen.findByRole('columnheader', { name: 'Mandant' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Datei importieren' })).toBeInTheDocument()
    unmount()
    queryClient.clear()
    renderApp('/imports', 'tenantAdmin')
    await screen.findByRole('table')
    expect(screen.queryByRole('columnheader', { name: 'Mandant' })).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Datei importieren' })).toBeInTheDocument()
  })

  it('polls only while an import runs, and passively', async () => {
    const passive: (string | null)[] = []
    server.events.on('request:start', ({ request }) => {
      if (new URL(request.url).pathname === '/api/admin/imports') passive.push(request.headers.get('x-passive'))
    })
    renderApp('/imports')
    await screen.findByRole('table')
    expect([...new Set(passive)]).toEqual(['1'])
    const interval = imports.list({ page: 1, size: 40, sort: null, filters: [], tenantId: null, view: null })
      .refetchInterval as unknown as (query: { state: { data: { data: Import[] } } }) => number | false
    expect(interval({ state: { data: { data: [one(1), one(2)] } } })).toBe(30_000)
    expect(interval({ state: { data: { data: [one(2)] } } })).toBe(false)
  })
})

describe('upload', () => {
  it('asks for a tenant first', async () => {
    renderApp('/imports/new')
    expect(within(await drawer()).getByText('Für welchen Mandanten?')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Importieren' })).not.toBeInTheDocument()
  })

  it('sends the file and opens the import', async () => {
    const { user, path, search } = renderApp('/imports/new?tenantId=2')
    await waitFor(() => expect(screen.getByLabelText('Mandant')).toHaveValue('Südrohr AG'))
    await user.upload(screen.getByLabelText('Datei *'), csv())
    await user.type(within(await drawer()).getByLabelText('Name'), 'Träger')
    // all columns are recognised, so the user need not check them
    expect(await screen.findByText('1 von 1 Spalten erkannt')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Spalten ansehen und ändern' })).toHaveAttribute('aria-expanded', 'false')
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(path() + search()).toBe('/imports/24?tenantId=2'))
    expect(await screen.findByText('„Träger“ wurde hochgeladen und wird im Hintergrund verarbeitet')).toBeInTheDocument()
    expect(one(24)).toMatchObject({ name: 'Träger', type: 'Article', dry_run: false, tenant: { id: 2 } })
  })

  it('lists the columns of a file, and offers only permitted types', async () => {
    const { user } = renderApp('/imports/new', 'tenantAdmin')
    const type = await screen.findByLabelText('Inhalt *')
    expect(type).toHaveValue('Listing')
    await user.click(screen.getByRole('button', { name: 'Spalten ansehen' }))
    expect(await screen.findByText('Kürzel des Lagers')).toBeInTheDocument()
    await user.selectOptions(type, 'Zuordnungen')
    await waitFor(() => expect(requests).toContain('GET /api/admin/imports/columns?type=Matching'))
    expect(screen.getByRole('option', { name: 'Artikel (keine Berechtigung)' })).toBeDisabled()
    await user.upload(screen.getByLabelText('Datei *'), csv())
    await screen.findByText('1 von 1 Spalten erkannt')
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(one(24)).toMatchObject({ type: 'Matching' }))
  })

  it('accepts a document with the lists of another system from users who may configure it', async () => {
    const { user, unmount } = renderApp('/imports/new?tenantId=2')
    const type = await screen.findByLabelText('Inhalt *')
    expect(screen.getByLabelText('Datei *')).toHaveAttribute('accept', '.csv,.txt,.xlsx')
    await user.selectOptions(type, 'Metadaten externer APIs')
    expect(type).toHaveAccessibleDescription(/JSON-Dokument .* articles \(number, name, gtin\)/)
    expect(screen.getByLabelText('Datei *')).toHaveAttribute('accept', '.json')
    const document = new File(['{"articles": []}'], 'stamm.json', { type: 'application/json' })
    await user.upload(screen.getByLabelText('Datei *'), document)
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(one(24)).toMatchObject({ type: 'ExternalApiMetaData' }))
    unmount()
    queryClient.clear()
    for (const one of db.users) one.permissions = one.permissions.filter(({ name }) => name !== 'configure-external-api')
    renderApp('/imports/new', 'tenantAdmin')
    await screen.findByLabelText('Inhalt *')
    expect(screen.getByRole('option', { name: 'Metadaten externer APIs (keine Berechtigung)' })).toBeDisabled()
  })

  it('refuses a missing file and one that is too large without sending it', async () => {
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.click(await screen.findByRole('button', { name: 'Importieren' }))
    const input = screen.getByLabelText('Datei *')
    await waitFor(() => expect(input).toHaveAccessibleDescription(/Pflichtfeld/))
    const large = csv()
    Object.defineProperty(large, 'size', { value: 51 * 1024 ** 2 })
    await user.upload(input, large)
    await waitFor(() => expect(input).toHaveAccessibleDescription(/höchstens 50 MB/))
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    expect(requests.filter((request) => request.startsWith('POST /api/admin/imports'))).toEqual([])
  })

  it('shows errors of the server at the file', async () => {
    server.use(
      http.post('*/api/admin/imports/inspect', () =>
        HttpResponse.json({ code: 'invalid', message: '', errors: { file: ['Die Datei ist leer'] }, request_id: 'r' }, { status: 422 }),
      ),
    )
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv())
    await waitFor(() => expect(screen.getByLabelText('Datei *')).toHaveAccessibleDescription(/Die Datei ist leer/))
  })

  it('can be aborted, and the form is still there', async () => {
    server.use(http.post('*/api/admin/imports', () => new Promise<never>(() => {})))
    const { user, path } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv())
    await screen.findByText('1 von 1 Spalten erkannt')
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await user.click(await screen.findByRole('button', { name: 'Übertragung abbrechen' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Übertragung abbrechen' })).not.toBeInTheDocument())
    expect(path()).toBe('/imports/new')
    expect(screen.getByText('traeger.csv')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('one import', () => {
  it('shows its results and refused rows, page by page', async () => {
    Object.assign(one(3), { rows_refused: 23 })
    const { user } = renderApp('/imports/3')
    const detail = await drawer()
    expect(await within(detail).findByText('Teilweise erfolgreich')).toBeInTheDocument()
    expect(within(detail).getByText('Neu angelegt').nextSibling).toHaveTextContent('300')
    expect(within(detail).getByText(/identisch mit der des Imports Nr. 9/)).toBeInTheDocument()
    expect(await within(detail).findByRole('heading', { name: '23 abgelehnte Zeilen' })).toBeInTheDocument()
    expect(within(detail).getByRole('rowheader', { name: '2' })).toHaveAttribute('rowspan', '2')
    expect(within(detail).getByText('Ganze Zeile')).toBeInTheDocument()
    await user.click(within(detail).getByRole('button', { name: 'Nächste Seite' }))
    expect(await within(detail).findByRole('rowheader', { name: '24' })).toBeInTheDocument()
  })

  it('counts refused rows and rows that wait for a matching separately', async () => {
    Object.assign(one(3), { rows_refused: 17, rows_unresolved: 6 })
    renderApp('/imports/3')
    const detail = await drawer()
    const title = '17 abgelehnte Zeilen · 6 Zeilen ohne Zuordnung'
    expect(await within(detail).findByRole('heading', { name: title })).toBeInTheDocument()
  })

  it('allows refused rows to be corrected on the screen', async () => {
    const bodies: unknown[] = []
    server.use(
      http.post('*/api/admin/imports/3/corrections', async ({ request }) => {
        bodies.push(await request.json())
        return HttpResponse.json({ ...one(6), id: 6 }, { status: 201 })
      }),
    )
    const { user, path } = renderApp('/imports/3')
    const detail = await drawer()
    await user.click(await within(detail).findByRole('button', { name: 'Hier korrigieren' }))
    const row = within(within(detail).getByRole('group', { name: 'Zeile 3' }))
    const cell = row.getByLabelText('Werkstoff')
    expect(cell).toHaveValue('S1')
    expect(cell).toHaveAccessibleDescription('Der Werkstoff „S1“ ist unbekannt')
    expect(within(detail).getByRole('button', { name: 'Korrigierte Zeilen importieren' })).toBeDisabled()
    await user.clear(cell)
    await user.type(cell, 'S235JR')
    await user.click(within(detail).getByRole('button', { name: '1 korrigierte Zeile importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/6'))
    expect(bodies).toEqual([{ rows: [{ line: 3, cells: ['HEB', 'S235JR'] }] }])
  })

  it('shows warnings of accepted rows', async () => {
    const warnedFilters: string[] = []
    server.use(
      http.get('*/api/admin/imports/:id/rows', ({ request }) => {
        warnedFilters.push(new URL(request.url).searchParams.get('filter[warned]') ?? '')
        const warnings = [{ column: 'Werkstoff', message: '„St 37-2“ ist eine frühere Bezeichnung, gelesen wurde S235JR' }]
        return HttpResponse.json({ data: [{ line: 7, warnings }], meta: { total: 1, current_page: 1, last_page: 1 } })
      }),
    )
    renderApp('/imports/3')
    const section = await screen.findByRole('region', { name: '1 Zeile mit Hinweis' })
    expect(within(section).getByRole('rowheader', { name: '7' })).toBeInTheDocument()
    expect(within(section).getByText(/frühere Bezeichnung/)).toBeInTheDocument()
    expect(warnedFilters).toEqual(['true'])
  })

  it('links to the upload of the corrected file with the same tenant, content and name', async () => {
    const { user, path, search } = renderApp('/imports/3')
    await user.click(await screen.findByRole('link', { name: 'Korrigierte Datei hochladen' }))
    await waitFor(() => expect(path() + search()).toBe('/imports/new?tenantId=1'))
    expect(within(await screen.findByRole('dialog', { name: 'Datei importieren' })).getByLabelText('Name')).toHaveValue(
      'Artikelliste KW 42',
    )
  })

  it('shows the result of a dry run, and is applied without choosing the file again', async () => {
    Object.assign(one(3), { dry_run: true })
    const { user, path } = renderApp('/imports/3')
    const detail = await drawer()
    expect(await within(detail).findByText('Probelauf')).toBeInTheDocument()
    expect(within(detail).getByText('Würden angelegt').nextSibling).toHaveTextContent('300')
    expect(within(detail).queryByRole('link', { name: 'Korrigierte Datei hochladen' })).not.toBeInTheDocument()
    await user.click(within(detail).getByRole('button', { name: 'Jetzt importieren' }))
    expect(await screen.findByText('„Artikelliste KW 42“ wird jetzt im Hintergrund importiert')).toBeInTheDocument()
    await waitFor(() => expect(path()).toBe('/imports/24'))
    expect(one(24)).toMatchObject({ name: 'Artikelliste KW 42', dry_run: false, tenant: { id: 1 } })
    expect(requests).toContain('POST /api/admin/imports/3/apply?tenant_id=1')
  })

  it('shows its impact on prices before it is applied', async () => {
    Object.assign(one(3), { dry_run: true, type: 'PriceList' })
    const impactIds: string[] = []
    server.use(
      http.post('*/api/admin/imports/:id/impact', ({ params }) => {
        impactIds.push(String(params.id))
        return HttpResponse.json(impactAnswer())
      }),
    )
    const { user, path } = renderApp('/imports/3')
    const detail = await drawer()
    await user.click(await within(detail).findByRole('button', { name: 'Jetzt importieren' }))
    const dialog = within(await screen.findByRole('dialog', { name: '„Artikelliste KW 42“ importieren?' }))
    expect(await dialog.findByText(/312 von 1\.240 Artikeln ändern sich/)).toBeInTheDocument()
    expect(impactIds).toEqual(['3'])
    expect(path()).toBe('/imports/3')
    await user.click(dialog.getByRole('button', { name: 'Jetzt importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/24'))
  })

  it('lists removals, and is applied once their count is typed', async () => {
    const removing = { strategy: 'replace_all', type: 'Stock', rows_removed: 4967, removals_to_confirm: 4967 } as const
    Object.assign(one(3), { dry_run: true, ...removing })
    const { user, path } = renderApp('/imports/3')
    const detail = await drawer()
    const link = await within(detail).findByRole('link', { name: 'Diese Einträge ansehen' })
    expect(link).toHaveAttribute('href', expect.stringContaining('/imports/3/rows?rows=removed'))
    await user.click(within(detail).getByRole('button', { name: 'Jetzt importieren' }))
    const question = within(await screen.findByRole('alertdialog', { name: '4.967 Einträge entfernen?' }))
    const action = question.getByRole('button', { name: 'Importieren und 4.967 entfernen' })
    expect(action).toBeDisabled()
    await user.type(question.getByRole('textbox'), '496')
    expect(action).toBeDisabled()
    await user.type(question.getByRole('textbox'), '7')
    await user.click(action)
    await waitFor(() => expect(path()).toBe('/imports/24'))
    expect(requests).toContain('POST /api/admin/imports/3/apply?tenant_id=1&confirm_removals=4967')
  })

  it.each(['Failed', 'Queued'] as const)('cannot be applied if it is a dry run that is %s', async (status) => {
    Object.assign(one(3), { dry_run: true, status })
    renderApp('/imports/3')
    await screen.findByRole('button', { name: 'Hochgeladene Datei' })
    expect(screen.queryByRole('button', { name: 'Jetzt importieren' })).not.toBeInTheDocument()
  })

  it('saves the error file under its name', async () => {
    const saved = collectSavedFiles()
    const { user } = renderApp('/imports/3')
    await user.click(await screen.findByRole('button', { name: 'Fehlerdatei herunterladen' }))
    await waitFor(() => expect(saved).toEqual(['artikel-fehler.csv']))
    expect(requests).toContain('GET /api/admin/imports/3/error-file')
  })

  it('is cancelled after confirmation, but only while it is queued', async () => {
    const { user } = renderApp('/imports/6')
    await user.click(await screen.findByRole('button', { name: 'Import abbrechen' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Import abbrechen' }))
    expect(await screen.findByText('„Artikelliste KW 39“ wurde abgebrochen')).toBeInTheDocument()
    expect(one(6).status).toBe('Cancelled')
    await waitFor(() => expect(within(screen.getByRole('dialog')).getByText('Abgebrochen')).toBeInTheDocument())
    expect(screen.queryByRole('button', { name: 'Import abbrechen' })).not.toBeInTheDocument()
  })

  it('is stopped after confirmation while it runs, and shows what was applied', async () => {
    const { user } = renderApp('/imports/1')
    await user.click(await screen.findByRole('button', { name: 'Import anhalten' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByText(/Was schon übernommen wurde, bleibt/)).toBeInTheDocument()
    await user.click(within(question).getByRole('button', { name: 'Import anhalten' }))
    expect(await screen.findByText(/wurde angehalten$/)).toBeInTheDocument()
    expect(one(1).status).toBe('Cancelled')
    expect(await within(await screen.findByRole('dialog')).findByText(/Der Import wurde angehalten, nach \d+ Zeilen/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Import anhalten' })).not.toBeInTheDocument()
  })

  it('shows the reason if cancelling came too late', async () => {
    server.use(
      http.delete('*/api/admin/imports/6', () =>
        HttpResponse.json(
          { code: 'not_queued', message: 'Der Import hat schon begonnen.', errors: null, request_id: 'r' },
          { status: 409 },
        ),
      ),
    )
    const { user } = renderApp('/imports/6')
    await user.click(await screen.findByRole('button', { name: 'Import abbrechen' }))
    const question = await screen.findByRole('alertdialog')
    await user.click(within(question).getByRole('button', { name: 'Import abbrechen' }))
    expect(await within(question).findByText('Der Import hat schon begonnen.')).toBeInTheDocument()
  })

  it('shows when its files were deleted, and offers none', async () => {
    renderApp('/imports/15')
    expect(await screen.findByText(/werden 90 Tage aufbewahrt und sind inzwischen gelöscht/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /herunterladen/ })).not.toBeInTheDocument()
    expect(requests).not.toContain('GET /api/admin/imports/15/errors')
  })

  it('shows an error if it does not exist', async () => {
    renderApp('/imports/999')
    expect(await screen.findByText('Diesen Eintrag gibt es nicht (mehr).')).toBeInTheDocument()
  })
})

describe('bell', () => {
  it('links to an import', async () => {
    const { user, path } = renderApp('/home')
    await user.click(await screen.findByRole('button', { name: /^Importe/ }))
    await user.click(await screen.findByRole('link', { name: 'Artikelliste KW 42' }))
    await waitFor(() => expect(path()).toBe('/imports/3'))
  })

  it('shows files and counts, and omits dry runs that have ended', async () => {
    Object.assign(one(2), { upload_file: 'traeger.csv' })
    Object.assign(one(3), { dry_run: true })
    const { user } = renderApp('/home')
    await user.click(await screen.findByRole('button', { name: /^Importe/ }))
    const row = (await screen.findByRole('link', { name: 'Artikelliste KW 43' })).closest('li') as HTMLElement
    expect(within(row).getByText(/traeger\.csv/)).toBeInTheDocument()
    expect(within(row).getByText('300 neu, 100 geändert, 68 unverändert')).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Artikelliste KW 42' })).not.toBeInTheDocument()
  })

  it('does not report a dry run as imported', async () => {
    renderApp('/home')
    await screen.findByRole('button', { name: /^Importe/ })
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['bell'] })).toBe(0))
    Object.assign(one(1), { status: 'Success', dry_run: true })
    await queryClient.invalidateQueries({ queryKey: ['bell'] })
    expect(await screen.findByText('Probelauf „artikel.csv“ ist fertig, alle Zeilen sind in Ordnung')).toBeInTheDocument()
  })

  it('notifies the uploader when their import has ended', async () => {
    renderApp('/home')
    await screen.findByRole('button', { name: /^Importe/ })
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['bell'] })).toBe(0))
    Object.assign(one(1), { name: 'Träger', status: 'PartialSuccess', rows_refused: 1 })
    await queryClient.invalidateQueries({ queryKey: ['bell'] })
    expect(await screen.findByText('„Träger“ wurde importiert, einige Zeilen wurden abgelehnt')).toBeInTheDocument()
  })

  it('mentions refused rows only if there are any', async () => {
    renderApp('/home')
    await screen.findByRole('button', { name: /^Importe/ })
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['bell'] })).toBe(0))
    Object.assign(one(1), { name: 'Träger', status: 'PartialSuccess', rows_refused: 0, rows_held: 6 })
    await queryClient.invalidateQueries({ queryKey: ['bell'] })
    expect(await screen.findByText('„Träger“ wurde importiert, einige Zeilen brauchen eine Prüfung')).toBeInTheDocument()
  })

  it('also notifies of an import that ends before the first render', async () => {
    renderApp('/home')
    await screen.findByRole('button', { name: /^Importe/ })
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['bell'] })).toBe(0))
    const ended = { ...one(1), id: 77, name: 'Flachstahl', status: 'Success' } as Import
    db.imports.push(ended as never)
    cacheQueuedImport(queryClient, { ...ended, status: 'Queued' })
    updateCachedImport(queryClient, ended)
    expect(await screen.findByText('„Flachstahl“ wurde erfolgreich importiert')).toBeInTheDocument()
  })

  it('notifies of the newest import last, so that it stays visible', async () => {
    renderApp('/home')
    await screen.findByRole('button', { name: /^Importe/ })
    await waitFor(() => expect(queryClient.isFetching({ queryKey: ['bell'] })).toBe(0))
    const ended = { ...one(1), status: 'Success', updated_at: '2099-01-01T00:00:00Z' } as Import
    const dryRun = { ...ended, id: 78, name: 'Flachstahl', dry_run: true }
    const applied = { ...ended, id: 79, name: 'Flachstahl', updated_at: '2099-01-01T00:00:01Z' }
    db.imports.push(dryRun as never, applied as never)
    for (const row of [dryRun, applied]) cacheQueuedImport(queryClient, { ...row, status: 'Queued' })
    for (const row of [dryRun, applied]) updateCachedImport(queryClient, row)
    expect(await screen.findByText('„Flachstahl“ wurde erfolgreich importiert')).toBeInTheDocument()
  })
})
