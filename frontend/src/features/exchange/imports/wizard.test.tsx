import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import type { Import } from '~/api/schema'
import { renderApp } from '~/test/render'
import { db, deferredAnswer, requests, server } from '~/test/server'

function csv(...lines: string[]): File {
  db.inspectedLines = lines
  return new File([lines.join('\r\n')], 'bestand.csv', { type: 'text/csv' })
}
const sent: FormData[] = []
const noteSent = () => {
  sent.length = 0
  server.events.on('request:start', ({ request }) => {
    if (request.method === 'POST' && new URL(request.url).pathname === '/api/admin/imports')
      void request
        .clone()
        .formData()
        .then((form) => sent.push(form))
  })
}
/** Select for a column's field; a constant may have the same label. */
const column = (name: string) =>
  within(screen.getByRole('region', { name: 'Spalten der Datei' })).getByLabelText(name, { selector: 'select' })

describe('the columns of a file', () => {
  it('are shown with their contents, and sent as the user has assigned them', async () => {
    noteSent()
    const { user, path } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Teil;Lager;Farbe', 'HEB-1;L;rot'))
    expect(await screen.findByText('Es fehlt eine Spalte für: Artikelnummer. Ordnen Sie unten eine zu.')).toBeInTheDocument()
    expect(screen.getByText('2 Spalten werden nicht verwendet: Teil, Farbe')).toBeInTheDocument()
    expect(screen.getAllByText('HEB-1')).toHaveLength(2)
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    expect(requests.filter((request) => request === 'POST /api/admin/imports?tenant_id=1')).toEqual([])

    await user.selectOptions(column('Lager'), 'Artikelnummer')
    await user.selectOptions(column('Teil'), 'Artikelnummer')
    expect(column('Teil')).toHaveAccessibleDescription(/Dasselbe Feld hat auch die Spalte „Lager“/)
    await user.selectOptions(column('Lager'), 'Lager')
    expect(screen.getByText('Eine Spalte wird nicht verwendet: Farbe')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/24'))
    expect(JSON.parse(String(sent[0]?.get('mapping')))).toEqual([
      { column: 'Teil', field: 'article_number' },
      { column: 'Lager', field: 'warehouse' },
      { column: 'Farbe', field: null },
    ])
  })

  it('show errors of the server at their places, and the form keeps the input', async () => {
    server.use(
      http.post('*/api/admin/imports', () =>
        HttpResponse.json(
          { code: 'invalid', message: '', errors: { 'mapping.0.column': ['Die Datei hat keine Spalte „Teil“'] }, request_id: 'r' },
          { status: 422 },
        ),
      ),
    )
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Teil', 'HEB-1'))
    await screen.findByRole('region', { name: 'Spalten der Datei' })
    await user.selectOptions(column('Teil'), 'Artikelnummer')
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(column('Teil')).toHaveAccessibleDescription('Die Datei hat keine Spalte „Teil“'))
    expect(column('Teil')).toHaveValue('article_number')
    expect(screen.getByText('bestand.csv')).toBeInTheDocument()
  })

  it('are read on demand from a price file in another format', async () => {
    noteSent()
    const inspected: (FormDataEntryValue | null)[] = []
    server.use(
      http.post('*/api/admin/imports/inspect', async ({ request }) => {
        const form = await request.clone().formData()
        inspected.push(form.get('price_format'))
        if (form.get('price_format')) return undefined
        const refusal = { code: 'invalid', message: '', errors: { file: ['DATANORM'] }, error_codes: { file: ['file_datanorm'] } }
        return HttpResponse.json({ ...refusal, request_id: 'r' }, { status: 422 })
      }),
    )
    const { user, path } = renderApp('/imports/new?tenantId=1')
    const type = await screen.findByLabelText('Inhalt *')
    await user.selectOptions(type, 'Bestände')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Artikelnummer', 'X1'))
    // such a file has no stocks
    await waitFor(() => expect(inspected).toEqual([null]))
    expect(screen.queryByRole('button', { name: 'Als Preisdatei lesen' })).not.toBeInTheDocument()
    await user.selectOptions(type, 'Preise')
    await user.click(await screen.findByRole('button', { name: 'Als Preisdatei lesen' }))
    await screen.findByRole('region', { name: 'Spalten der Datei' })
    expect(inspected).toEqual([null, null, 'datanorm'])
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/24'))
    expect(sent[0]?.get('price_format')).toBe('datanorm')
  })

  it('suggest another type if they fit it better', async () => {
    const { user } = renderApp('/imports/new?tenantId=1')
    const type = await screen.findByLabelText('Inhalt *')
    server.use(
      http.post('*/api/admin/imports/inspect', async ({ request }) => {
        const importType = (await request.formData()).get('type')
        const isPrice = importType === 'Price'
        return HttpResponse.json({
          type: importType,
          format: 'xlsx',
          encoding: null,
          delimiter: null,
          decimal_sign: ',',
          header_line: 1,
          rows: null,
          notes: ['Gelesen wurde das Blatt „Preise“'],
          columns: [
            {
              name: 'Preis',
              field: isPrice ? 'price' : null,
              recognised: isPrice ? 'price' : null,
              recognised_by: null,
              unread: false,
              samples: ['1'],
            },
          ],
          sheets: [],
          sheet: null,
          sum_rows: 0,
          can_sum_rows: false,
          sample_lines: [2],
          fields: [{ key: 'price', label: 'Preis', help: null, synonyms: [] }],
          required: [[isPrice ? 'price' : 'article_number']],
          together: [],
          problems: [],
          profile: null,
          footnotes: [],
          remembered: null,
          better_type: isPrice ? null : 'Price',
        })
      }),
    )
    await user.upload(screen.getByLabelText('Datei *'), csv('Preis', '1'))
    expect(await screen.findByText('Die Spalten passen besser zum Inhalt „Preise“.')).toBeInTheDocument()
    expect(screen.getByText('Gelesen wurde das Blatt „Preise“')).toBeInTheDocument()
    expect(screen.getByText(/Zeilen: über 50.000/)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Inhalt ändern' }))
    expect(type).toHaveValue('Price')
    expect(await screen.findByText('1 von 1 Spalten erkannt')).toBeInTheDocument()
  })

  it('are assigned as in the last import until that mapping is deleted', async () => {
    let remembered = true
    server.use(
      http.post('*/api/admin/imports/inspect', () => {
        const field = remembered ? 'article_number' : null
        return HttpResponse.json({
          type: 'Stock',
          format: 'csv',
          encoding: 'UTF-8',
          delimiter: ';',
          decimal_sign: ',',
          header_line: 1,
          rows: 1,
          notes: [],
          columns: [{ name: 'Teil', field, recognised: null, recognised_by: null, unread: false, samples: ['X'] }],
          sheets: [],
          sheet: null,
          sum_rows: 0,
          can_sum_rows: false,
          sample_lines: [2],
          fields: [{ key: 'article_number', label: 'Artikelnummer', help: null, synonyms: [] }],
          required: [['article_number']],
          together: [],
          problems: [],
          profile: null,
          footnotes: [],
          remembered: remembered
            ? { import_id: 3, created_at: '2026-11-20T10:00:00Z', columns: [{ column: 'Teil', field: 'article_number' }], constants: [] }
            : null,
          better_type: null,
        })
      }),
      http.delete('*/api/admin/imports/3/mapping', () => {
        remembered = false
        return new HttpResponse(null, { status: 204 })
      }),
    )
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Teil', 'X'))
    expect(await screen.findByText(/Zugeordnet wie beim Import vom 20.11.2026/)).toBeInTheDocument()
    expect(screen.getByText('1 von 1 Spalten erkannt')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Zuordnung vergessen' }))
    expect(await screen.findByText('Es fehlt eine Spalte für: Artikelnummer. Ordnen Sie unten eine zu.')).toBeInTheDocument()
  })
})

describe('the price unit of a file', () => {
  const price = { key: 'price', label: 'Preis', help: null, synonyms: [], unit: 'price' }
  const looked = (column: object, more: object) =>
    http.post('*/api/admin/imports/inspect', () =>
      HttpResponse.json({
        type: 'Price',
        format: 'xlsx',
        encoding: null,
        delimiter: null,
        decimal_sign: ',',
        header_line: 1,
        rows: 2,
        hidden_rows: 0,
        notes: [],
        columns: [
          { field: 'price', recognised: 'price', recognised_by: null, unread: false, chosen_unit: null, samples: ['1'], ...column },
        ],
        sheets: [],
        sheet: null,
        sum_rows: 0,
        can_sum_rows: false,
        sample_lines: [2],
        fields: [price],
        required: [],
        together: [],
        problems: [],
        profile: null,
        footnotes: [],
        remembered: null,
        better_type: null,
        ...more,
      }),
    )

  it('is shown below the file, and can be chosen for a column with an unknown unit', async () => {
    noteSent()
    server.use(
      looked(
        { name: 'Preis [Banane]', heading_unit: 'Banane', measure: null },
        { problems: [{ code: 'column_refused', column: 'Preis [Banane]', message: '„Banane“ sagt nicht, wofür die Preise gelten.' }] },
      ),
    )
    const { user, path } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Preis [Banane]', '1'))
    expect(await screen.findByText('„Banane“ sagt nicht, wofür die Preise gelten.')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    expect(sent).toEqual([])
    await user.selectOptions(screen.getByLabelText('Preis je Einheit: Preis [Banane]'), 'kg')
    await user.selectOptions(screen.getByLabelText('Preis je Menge: Preis [Banane]'), '100')
    expect(screen.queryByText('„Banane“ sagt nicht, wofür die Preise gelten.')).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/24'))
    expect(JSON.parse(String(sent[0]?.get('mapping')))).toEqual([{ column: 'Preis [Banane]', field: 'price', unit: '100 kg' }])
  })

  it('is shown even if no choice is needed', async () => {
    server.use(looked({ name: 'Preis [EUR/100 kg]', heading_unit: 'EUR/100 kg', measure: { quantity: '100', unit: 'kg' } }, {}))
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Preis [EUR/100 kg]', '1'))
    expect(await screen.findByText('Preis [EUR/100 kg]: Preis je 100 kg')).toBeInTheDocument()
  })

  it('is shown with the number of hidden rows, which can be skipped', async () => {
    noteSent()
    server.use(looked({ name: 'Preis', heading_unit: null, measure: null }, { hidden_rows: 3 }))
    const { user, path } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Preis', '1'))
    expect(await screen.findByText(/^3 Zeilen der Tabelle sind ausgeblendet/)).toBeInTheDocument()
    await user.click(screen.getByLabelText('Ausgeblendete Zeilen auslassen'))
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/24'))
    expect(sent[0]?.get('skip_hidden_rows')).toBe('true')
  })
})

describe('a file that is still being inspected', () => {
  it('is not sent during the inspection, neither by a button nor by the shortcut', async () => {
    const { opened, open } = deferredAnswer()
    server.use(
      http.post('*/api/admin/imports/inspect', async () => {
        await opened
      }),
    )
    const { user, path } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Artikelnummer', 'HEB-1'))
    expect(await screen.findByText('Die Datei wird gelesen …')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Vorschau' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Importieren' })).toBeDisabled()
    const before = db.imports.length
    await user.keyboard('{Control>}{Enter}{/Control}')
    open()
    await screen.findByText('1 von 1 Spalten erkannt')
    expect(db.imports).toHaveLength(before)
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(path()).toMatch(/^\/imports\/\d+$/))
  })
})

describe('the preview', () => {
  it('runs a dry run, shows its result, and applies it', async () => {
    const { user, path } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('Artikelnummer', 'HEB-1'))
    await screen.findByText('1 von 1 Spalten erkannt')
    await user.click(screen.getByRole('button', { name: 'Vorschau' }))
    expect(await screen.findByRole('heading', { name: 'Vorschau' })).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Jetzt importieren' })).not.toBeInTheDocument()
    const dryRun = db.imports.find(({ id }) => id === 24) as Import
    expect(dryRun.dry_run).toBe(true)
    Object.assign(dryRun, { status: 'PartialSuccess', rows_refused: 23 })
    const groups = await screen.findByRole('region', { name: 'Fehler nach Spalte und Art' })
    expect(within(groups).getByText('Zeile 2: Der Werkstoff „S0“ ist unbekannt')).toBeInTheDocument()
    expect(within(groups).getByText('und 22 weitere Zeilen')).toBeInTheDocument()
    expect(screen.getByText('Würden abgelehnt').nextSibling).toHaveTextContent('23')

    await user.click(screen.getByRole('button', { name: 'Zurück zu den Spalten' }))
    expect(screen.getByText('bestand.csv', { selector: 'strong' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Vorschau' }))
    await waitFor(() => expect(db.imports).toHaveLength(25))
    Object.assign(db.imports[24] as Import, { status: 'Success' })
    await user.click(await screen.findByRole('button', { name: 'Jetzt importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/26'))
    expect(db.imports[25]).toMatchObject({ dry_run: false })
  })
})

describe('the rows of an import', () => {
  it('are filtered by the address, and show reasons and differences', async () => {
    const searches: string[] = []
    Object.assign(db.imports[1] as Import, { type: 'Price', rows_held: 1 })
    const row = {
      line: 2,
      outcome: 'updated',
      record: 'stock',
      record_id: 7,
      record_name: 'HEB-1, L',
      changes: [],
      warnings: [],
      errors: [],
      price_change: '6.123456',
    }
    server.use(
      http.get('*/api/admin/imports/:id/rows', ({ request }) => {
        searches.push(decodeURIComponent(new URL(request.url).search))
        const refused = {
          ...row,
          line: 3,
          outcome: 'refused',
          record_id: null,
          record_name: null,
          price_change: null,
          errors: [{ column: 'Lager', code: 'unknown_name', message: '„X“ gibt es nicht' }],
        }
        return HttpResponse.json({ data: [row, refused], meta: { total: 2, current_page: 1, last_page: 1, per_page: 40 } })
      }),
    )
    const { user, search } = renderApp('/imports/2/rows')
    expect(await screen.findByRole('heading', { name: 'Zeilen von „Artikelliste KW 43“' })).toBeInTheDocument()
    expect(await screen.findByText('Lager: „X“ gibt es nicht')).toBeInTheDocument()
    expect(screen.getByText('Preis um 6,12 % geändert')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Preis um mehr als 5 % geändert' }))
    await waitFor(() => expect(search()).toBe('?rows=much'))
    await waitFor(() => expect(searches.at(-1)).toContain('filter[price_change_greater_than]=5'))
    await user.click(screen.getByRole('button', { name: 'Zur Freigabe: 1' }))
    await waitFor(() => expect(searches.at(-1)).toContain('filter[outcome]=held'))
    expect(screen.getByRole('button', { name: 'Zur Freigabe: 1' })).toHaveAttribute('aria-pressed', 'true')
  })
})

describe('the settings for reading a file', () => {
  const inspected = (name: string, field: string | null, more: object = {}) => ({
    name,
    field,
    recognised: field,
    recognised_by: field && name,
    unread: false,
    heading_unit: null,
    chosen_unit: null,
    measure: null,
    suggestion: null,
    samples: ['x'],
    ...more,
  })
  const inspectedSettings: unknown[] = []
  const looked = () =>
    http.post('*/api/admin/imports/inspect', async ({ request }) => {
      const settings = JSON.parse(String((await request.formData()).get('settings') ?? '{}')) as { header_line?: number }
      inspectedSettings.push(settings)
      return HttpResponse.json({
        type: 'Stock',
        format: 'csv',
        encoding: 'Windows-1252',
        delimiter: ';',
        decimal_sign: ',',
        sheets: [],
        sheet: null,
        header_line: settings.header_line ?? 3,
        rows: 12,
        hidden_rows: 0,
        sum_rows: 1,
        can_sum_rows: true,
        notes: [],
        columns: [
          inspected('Was', null, { suggestion: { field: 'article_number', reason: 'values' }, samples: ['HEB-1', 'HEB-2'] }),
          inspected('Menge', 'quantity', { samples: ['12,1', '24,2'] }),
        ],
        sample_lines: [4, 5],
        fields: [
          { key: 'article_number', label: 'Artikelnummer', help: null, synonyms: [], unit: null },
          { key: 'warehouse', label: 'Lager', help: null, synonyms: [], unit: null },
          { key: 'quantity', label: 'Menge', help: null, synonyms: [], unit: null },
        ],
        required: [['article_number'], ['warehouse']],
        together: [],
        problems: [],
        profile: null,
        footnotes: [],
        remembered: null,
        better_type: null,
      })
    })

  it('are shown with the first rows, can be chosen, and are sent with constants and suggestions', async () => {
    inspectedSettings.length = 0
    noteSent()
    server.use(looked())
    const { user, path } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('x', 'y'))
    const rows = within(await screen.findByRole('region', { name: 'Die ersten 2 Zeilen, wie sie gelesen werden' }))
    expect(rows.getByRole('row', { name: '4 HEB-1 12,1' })).toBeInTheDocument()
    expect(screen.getByText('Eine Zeile mit Summen wird ausgelassen.')).toBeInTheDocument()
    expect(screen.getByLabelText('Was')).toHaveAccessibleDescription('Vorschlag: Alle Werte passen')
    expect(screen.getByText('Es fehlt eine Spalte für: Lager. Ordnen Sie unten eine zu.')).toBeInTheDocument()

    await user.selectOptions(screen.getByLabelText('Dezimalzeichen'), 'Punkt')
    await waitFor(() => expect(inspectedSettings.at(-1)).toEqual({ decimal_sign: '.' }))
    const line = screen.getByLabelText('Zeile der Überschriften')
    await user.clear(line)
    await user.type(line, '2{Enter}')
    await waitFor(() => expect(inspectedSettings.at(-1)).toEqual({ decimal_sign: '.', header_line: 2 }))
    await user.click(screen.getByLabelText(/Mehrere Zeilen desselben Bestands/))
    await waitFor(() => expect(inspectedSettings.at(-1)).toEqual({ decimal_sign: '.', header_line: 2, sum_rows: true }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Importieren' })).toBeEnabled())

    const constants = within(screen.getByRole('group', { name: /Für alle Zeilen gleich/ }))
    await user.type(constants.getByLabelText('Lager'), 'DU')
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(path()).toBe('/imports/24'))
    expect(JSON.parse(String(sent[0]?.get('settings')))).toEqual({
      decimal_sign: '.',
      header_line: 2,
      sum_rows: true,
      constants: [{ field: 'warehouse', value: 'DU' }],
    })
    expect(JSON.parse(String(sent[0]?.get('mapping')))).toEqual([
      { column: 'Was', field: 'article_number' },
      { column: 'Menge', field: 'quantity' },
    ])
  })

  it('stay while the file is read with them and after a failure, with the focus and the choices', async () => {
    inspectedSettings.length = 0
    server.use(looked())
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('x', 'y'))
    const line = await screen.findByLabelText('Zeile der Überschriften')
    await user.selectOptions(column('Menge'), 'Nicht verwenden')
    await user.type(within(screen.getByRole('group', { name: /Für alle Zeilen gleich/ })).getByLabelText('Lager'), 'DU')
    const { opened, open } = deferredAnswer()
    server.use(
      http.post('*/api/admin/imports/inspect', async () => {
        await opened
        return HttpResponse.json(
          { code: 'invalid', message: '', errors: { file: ['Ab Zeile 9 steht nichts mehr.'] }, request_id: 'r' },
          { status: 422 },
        )
      }),
    )
    await user.clear(line)
    // the shortcut for the form reads the file first
    await user.type(line, '9{Control>}{Enter}{/Control}')
    expect(screen.getByText('Die Datei wird gelesen …')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Importieren' })).toBeDisabled()
    expect(line).toHaveFocus()
    open()
    expect(await screen.findByText('Ab Zeile 9 steht nichts mehr.')).toBeInTheDocument()
    expect(line).toHaveFocus()
    expect(line).toHaveValue(9)
    expect(screen.getByRole('button', { name: 'Als Profil speichern' })).toBeDisabled()

    // what is shown is not what would be imported
    for (const name of ['Importieren', 'Vorschau']) {
      await user.click(screen.getByRole('button', { name }))
      await waitFor(() => expect(screen.getByText('Ab Zeile 9 steht nichts mehr.').closest('[data-problem]')).toHaveFocus())
    }
    expect(requests.filter((request) => request === 'POST /api/admin/imports?tenant_id=1')).toEqual([])

    server.use(looked())
    await user.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Als Profil speichern' })).toBeEnabled())
    expect(inspectedSettings.at(-1)).toEqual({ header_line: 9 })
    expect(screen.queryByText('Ab Zeile 9 steht nichts mehr.')).not.toBeInTheDocument()
    expect(column('Menge')).toHaveDisplayValue('Nicht verwenden')
    await user.clear(line)
    await user.tab()
    expect(line).toHaveValue(9)
  })

  it('offer no preview of a file that cannot be read', async () => {
    server.use(
      http.post('*/api/admin/imports/inspect', () =>
        HttpResponse.json(
          { code: 'invalid', message: '', errors: { file: ['Die Datei ist eine HTML-Seite.'] }, request_id: 'r' },
          { status: 422 },
        ),
      ),
    )
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.upload(await screen.findByLabelText('Datei *'), csv('x', 'y'))
    expect(await screen.findByText('Die Datei ist eine HTML-Seite.')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Vorschau' })).not.toBeInTheDocument()
  })
})
