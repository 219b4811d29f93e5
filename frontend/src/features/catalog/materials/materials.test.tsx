import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { renderApp } from '~/test/render'
import { itKeepsRules } from '~/test/rules'
import { collectSavedFiles } from '~/test/saved-files'
import { db, requests, resetServer, server } from '~/test/server'
import { materialSchema, toForm } from './schema'

const listed = () => requests.filter((request) => request.startsWith('GET /api/admin/materials?'))
const dialog = () => screen.findByRole('dialog')

describe('the rules of the server', () => {
  itKeepsRules('material.json', materialSchema, (input) => ({ ...toForm(null), ...input }), [])
})

describe('list', () => {
  it('requests the list with the parameters of the address, and shows it', async () => {
    renderApp('/materials?page=2&size=20&sort=-density&f.material_number=1.&f.density.gte=7.9')
    expect(await screen.findByRole('table')).toHaveAccessibleName('Werkstoffe')
    expect(listed()[0]).toBe(
      'GET /api/admin/materials?page[number]=2&page[size]=20&sort=-density&filter[material_number]=1.&filter[density_greater_equals]=7.9',
    )
    // page 2 of 8 rows does not exist: back to the last one
    await waitFor(() => expect(listed().at(-1)).toContain('page[number]=1'))
    expect(await screen.findByRole('columnheader', { name: /Dichte/ })).toHaveAttribute('aria-sort', 'descending')
    expect(screen.getByText('Dichte (kg/dm³) mindestens', { exact: false })).toHaveTextContent('7,9 kg/dm³')
  })

  it('writes a search into the address, on page one', async () => {
    const { user, search } = renderApp('/materials?page=2&size=20')
    await screen.findByRole('link', { name: 'X6CrNiMoTi17-12-2' })
    await user.type(screen.getByRole('searchbox', { name: 'Suchen nach Name oder Nummer' }), '42Cr')
    await waitFor(() => expect(search()).toBe('?size=20&f.search=42Cr'))
    expect(await screen.findByText('1–2 von 2')).toBeInTheDocument()
  })

  it('sorts ascending, descending and by default again', async () => {
    const { user, search } = renderApp('/materials')
    await screen.findByRole('link', { name: 'C45' })
    const head = () => screen.getByRole('columnheader', { name: /Werkstoffnummer/ })
    for (const [address, sorted] of [
      ['?sort=material_number', 'ascending'],
      ['?sort=-material_number', 'descending'],
    ] as const) {
      await user.click(within(head()).getByRole('button'))
      expect(search()).toBe(address)
      await waitFor(() => expect(head()).toHaveAttribute('aria-sort', sorted))
    }
    await user.click(within(head()).getByRole('button'))
    expect(search()).toBe('')
  })

  it('distinguishes an empty list from one without matches', async () => {
    db.materials = []
    const { router } = renderApp('/materials')
    expect(await screen.findByText('Noch keine Werkstoffe')).toBeInTheDocument()
    expect(screen.queryByRole('searchbox', { name: /Suchen nach/ })).not.toBeInTheDocument()
    await router.navigate('/materials?f.name=x')
    expect(await screen.findByText('Keine Treffer')).toBeInTheDocument()
  })

  it('shows the error and retries', async () => {
    server.use(
      http.get('*/api/admin/materials', () => HttpResponse.json({ message: 'Wartung', code: 'x', request_id: 'r-7' }, { status: 400 })),
    )
    const { user } = renderApp('/materials')
    expect(await screen.findByText(/Wartung/)).toHaveTextContent('r-7')
    resetServer()
    await user.click(screen.getByRole('button', { name: 'Erneut versuchen' }))
    expect(await screen.findByRole('link', { name: 'C45' })).toBeInTheDocument()
  })

  it('moves through rows with j and k', async () => {
    const { user } = renderApp('/materials')
    await screen.findByRole('link', { name: '11SMn30' })
    await user.keyboard('jj')
    expect(screen.getByRole('link', { name: '11SMn30+N' })).toHaveFocus()
    await user.keyboard('k{Enter}')
    expect(await dialog()).toHaveAccessibleName('Werkstoff bearbeiten')
  })
})

describe('export', () => {
  it('saves the filtered rows of all pages under the file name of the server', async () => {
    const saved = collectSavedFiles()
    const { user } = renderApp('/materials?sort=-density&f.name=S')
    await user.click(await screen.findByRole('button', { name: 'Exportieren' }))
    await user.click(await screen.findByRole('menuitem', { name: /CSV/ }))
    await waitFor(() => expect(saved).toEqual(['materials.csv']))
    await waitFor(() => expect(requests).toContain('GET /api/admin/materials/export?sort=-density&filter[name]=S&format=csv'))
  })

  it('shows the reason of a failure', async () => {
    server.use(
      http.get('*/api/admin/materials/export', () => HttpResponse.json({ message: 'Zu viele Zeilen', code: 'x' }, { status: 422 })),
    )
    const { user } = renderApp('/materials')
    await user.click(await screen.findByRole('button', { name: 'Exportieren' }))
    await user.click(await screen.findByRole('menuitem', { name: /Excel \(XLSX\)/ }))
    expect(await screen.findByText(/Zu viele Zeilen/)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Exportieren' })).toBeEnabled()
  })
})

describe('rights', () => {
  it('offers no changes to read-only users', async () => {
    const { user } = renderApp('/materials', 'staff')
    await user.click(await screen.findByRole('button', { name: 'Aktionen für 11SMn30' }))
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual(['Ansehen'])
    expect(screen.queryByRole('link', { name: 'Neuer Werkstoff' })).not.toBeInTheDocument()
  })

  it('opens a record read-only for a tenant, whatever their permissions', async () => {
    renderApp('/materials/1', 'tenantAdmin')
    expect(await screen.findByLabelText(/^Name/)).toBeDisabled()
    expect(screen.queryByRole('button', { name: 'Speichern' })).not.toBeInTheDocument()
  })

  it('refuses the page without the permission', async () => {
    renderApp('/attributes', 'staff')
    expect(await screen.findByRole('heading', { name: 'Keine Berechtigung' })).toBeInTheDocument()
    expect(requests.filter((request) => request.startsWith('GET /api/admin/attributes'))).toEqual([])
  })
})

describe('form', () => {
  it('creates, confirms it and returns to the list', async () => {
    const { user, path, search } = renderApp('/materials/new?sort=-name')
    await user.type(await screen.findByLabelText(/^Name/), 'S690QL')
    await user.type(screen.getByLabelText('Werkstoffnummer'), '1.8928')
    await user.type(screen.getByLabelText(/^Dichte/), '7,85')
    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('„S690QL“ wurde gespeichert')).toBeInTheDocument()
    await waitFor(() => expect(path() + search()).toBe('/materials?sort=-name'))
    expect(db.materials.at(-1)).toMatchObject({ name: 'S690QL', material_number: '1.8928', density: '7.85', display_name: null })
  })

  it('marks each wrong field and sends nothing', async () => {
    const { user } = renderApp('/materials/new')
    await user.type(await screen.findByLabelText('Werkstoffnummer'), '1.89')
    await user.type(screen.getByLabelText(/^Dichte/), '-1')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    expect(await screen.findByText('Pflichtfeld')).toBeInTheDocument()
    expect(screen.getByLabelText(/^Name/)).toHaveFocus()
    expect(screen.getByText(/Bitte im Format x.xxxx/)).toBeInTheDocument()
    expect(screen.getByText('Der Wert muss größer als 0 sein')).toBeInTheDocument()
    expect(requests.filter((request) => request.startsWith('POST /api/admin'))).toEqual([])
  })

  it('shows errors of the server at the field and as FormError', async () => {
    const { user } = renderApp('/materials/new')
    await user.type(await screen.findByLabelText(/^Name/), 'c45')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    const name = await screen.findByLabelText(/^Name/)
    await waitFor(() => expect(name).toHaveAccessibleDescription('Diesen Namen gibt es schon.'))
    expect(name).toHaveFocus()
    expect(within(await dialog()).getByRole('alert')).toHaveTextContent('FormErrorDiesen Namen gibt es schon.')
    const density = screen.getByLabelText(/^Dichte/)
    await user.type(density, '7,12345678')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(density).toHaveAccessibleDescription(/nach dem Komma/))
    expect(density).toHaveValue('7,12345678')
    expect(within(await dialog()).queryByRole('alert')).not.toBeInTheDocument()
  })

  it('asks before unsaved input is lost', async () => {
    const { user, path } = renderApp('/materials/1')
    await user.type(await screen.findByLabelText('Anzeigename'), 'x')
    await user.click(screen.getByRole('button', { name: 'Abbrechen' }))
    await user.click(await screen.findByRole('button', { name: 'Weiter bearbeiten' }))
    expect(path()).toBe('/materials/1')
    await user.click(await screen.findByRole('button', { name: 'Abbrechen' }))
    await user.click(await screen.findByRole('button', { name: 'Änderungen verwerfen' }))
    await waitFor(() => expect(path()).toBe('/materials'))
  })

  it('resolves a conflict field by field', async () => {
    const { user, path } = renderApp('/materials/1')
    await user.type(await screen.findByLabelText('Anzeigename'), ' meiner')
    const row = db.materials[0]
    if (!row) throw new Error('no material')
    Object.assign(row, { version: 2, display_name: 'ihrer', density: '7.7' })
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await user.click(await screen.findByLabelText('Gespeicherter Stand: ihrer'))
    expect(screen.getByText(/^Dichte.*: 7,7$/)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Auswahl speichern' }))
    await waitFor(() => expect(path()).toBe('/materials'))
    // fields that I did not touch keep the other user's value
    expect(db.materials[0]).toMatchObject({ version: 3, display_name: 'ihrer', density: '7.7' })
  })

  it('survives the end of the session', async () => {
    const { user, path } = renderApp('/materials/1')
    await user.type(await screen.findByLabelText('Anzeigename'), 'bleibt')
    db.revokedTokens.add('token-admin@stalhof.example')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    const again = await screen.findByRole('dialog', { name: 'Sitzung abgelaufen' })
    await user.type(await within(again).findByLabelText('Passwort'), 'profil-traeger-walzwerk')
    await user.click(within(again).getByRole('button', { name: 'Anmelden' }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Sitzung abgelaufen' })).not.toBeInTheDocument())
    expect((screen.getByLabelText('Anzeigename') as HTMLInputElement).value).toContain('bleibt')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(path()).toBe('/materials'))
    expect(db.materials[0]?.display_name).toContain('bleibt')
  })
})

it('deletes after confirmation', async () => {
  const { user } = renderApp('/materials')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für 11SMn30' }))
  await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
  const question = await screen.findByRole('alertdialog', { name: '„11SMn30“ löschen?' })
  expect(within(question).getByRole('button', { name: 'Abbrechen' })).toHaveFocus()
  await user.click(within(question).getByRole('button', { name: 'Löschen' }))
  expect(await screen.findByText('„11SMn30“ wurde gelöscht')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('link', { name: '11SMn30' })).not.toBeInTheDocument())
})

it('asks before articles change with it, and changes them once their count is confirmed', async () => {
  const bodies: Record<string, unknown>[] = []
  const refusal = { code: 'articles_change', message: 'Damit ändert sich 1 Artikel.', errors: null, request_id: 'r-1', used_by: null }
  server.use(
    http.put('*/api/admin/materials/:id', async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>
      bodies.push(body)
      if (body.change_articles !== 1) return HttpResponse.json(refusal, { status: 409 })
      return HttpResponse.json({ ...db.materials[0], ...body, version: 2 })
    }),
    http.post('*/api/admin/materials/:id/effect', () =>
      HttpResponse.json({
        total: 3,
        unchanged: 2,
        changed: 1,
        refused: 0,
        changes: [
          {
            article_id: 1,
            article_number: 'FL-50x10-6',
            article_name: 'Flachstahl 50 x 10',
            base_unit_of_measure: 'm',
            weight_per_base_unit: '3.925',
            new_article_number: 'FL-50x10-6',
            new_article_name: 'Flachstahl 50 x 10',
            new_weight_per_base_unit: '4',
            problem: null,
          },
        ],
      }),
    ),
  )
  const { user, path } = renderApp('/materials/1')
  const density = await screen.findByRole('textbox', { name: /Dichte/ })
  await user.clear(density)
  await user.type(density, '8')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  const question = within(await screen.findByRole('dialog', { name: /mit den Artikeln ändern/ }))
  expect(await question.findByText('1 Artikel geändert')).toBeInTheDocument()
  expect(question.getAllByRole('row')[1]).toHaveTextContent('3,925 kg/m')
  expect(question.getByText('4 kg/m')).toBeInTheDocument()
  await user.click(question.getByRole('button', { name: 'Zurück zum Formular' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /mit den Artikeln/ })).not.toBeInTheDocument())
  expect(density).toHaveValue('8')
  await user.click(screen.getByRole('button', { name: 'Speichern' }))
  await user.click(await screen.findByRole('button', { name: '1 Artikel ändern' }))
  await waitFor(() => expect(path()).toBe('/materials'))
  expect(bodies.map((body) => body.change_articles)).toEqual([undefined, undefined, 1])
})
