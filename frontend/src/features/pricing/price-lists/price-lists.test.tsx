import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PriceDifference, PriceList, PriceListCopy, PriceListImpactInput, PriceListTimeline } from '~/api/schema'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { priceListRow } from '~/test/fixtures/price-list-row'
import { renderApp } from '~/test/render'
import { db, deferredAnswer, requests, server } from '~/test/server'

const difference: PriceDifference = {
  created: 0,
  changed: 1,
  unchanged: 0,
  held: 0,
  impossible: 1,
  waiting: 0,
  median_percent: '3',
  lines: [
    {
      article_id: 2,
      article_number: 'HEB-220',
      article_name: 'HEB 220',
      before: { price: { price: '100', price_quantity: '1', unit: 'piece' }, bulk_prices: [] },
      after: null,
      outcome: 'impossible',
      percent: null,
      reason: { code: 'price_below_zero' as never, message: 'Damit läge der Preis unter null.' },
    },
    {
      article_id: 1,
      article_number: 'HEB-200',
      article_name: 'HEB 200',
      before: { price: { price: '850', price_quantity: '1', unit: 't' }, bulk_prices: [] },
      after: { price: { price: '875.5', price_quantity: '1', unit: 't' }, bulk_prices: [] },
      outcome: 'changed',
      percent: '3',
      reason: null,
    },
  ],
}

let lists: PriceList[]
let sent: unknown[]
let inputs: PriceListImpactInput[]

beforeEach(() => {
  lists = [
    priceListRow(),
    priceListRow({ id: 2, name: 'Verkauf 2027', status: 'pending', valid_from: '2027-01-01T00:00:00Z' }),
    priceListRow({
      id: 3,
      name: 'Fremde Liste',
      owner_tenant: { id: 2, company: 'Rheinstahl AG' },
      own: false,
      writable: false,
      announce: null,
      audience_count: null,
    }),
  ]
  sent = []
  inputs = []
  const one = (params: object) => lists.find(({ id }) => id === Number((params as { id: string }).id))
  server.use(
    http.get('/api/admin/price-lists', () =>
      HttpResponse.json({ data: lists, meta: { current_page: 1, last_page: 1, per_page: 40, total: lists.length } }),
    ),
    http.get('/api/admin/price-lists/{id}', ({ params }) => {
      const list = one(params)
      return list ? HttpResponse.json(list) : problem(404, 'not_found', 'Nicht gefunden.')
    }),
    http.put('/api/admin/price-lists/{id}', async ({ params, request }) => {
      const body = (await request.json()) as Partial<PriceList>
      sent.push(body)
      return HttpResponse.json({ ...(one(params) as PriceList), ...body, version: 5 } as PriceList)
    }),
    http.post('/api/admin/price-lists/{id}/archive', async ({ params, request }) => {
      sent.push(await request.json())
      const archived = one(params) as PriceList
      lists = lists.map((list) => (list === archived ? { ...list, status: 'inactive', version: 5 } : list))
      return HttpResponse.json({ ...archived, status: 'inactive' as const })
    }),
    http.post('/api/admin/price-lists/{id}/impact', async ({ request }) => {
      inputs.push((await request.json()) as PriceListImpactInput)
      return HttpResponse.json(impactAnswer())
    }),
    http.post('/api/admin/price-lists/{id}/copy/preview', () => HttpResponse.json(difference)),
  )
})

const open = async (path: string, user: Parameters<typeof renderApp>[1] = 'tenantAdmin') => {
  const view = renderApp(path, user)
  await screen.findByRole('heading', { level: 1 })
  return view
}
const menuOf = async (user: Awaited<ReturnType<typeof open>>['user'], name: string) => {
  await user.click(await screen.findByRole('button', { name: `Aktionen für ${name}` }))
  return (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
}

describe('the list', () => {
  it('omits the archive, which a button shows', async () => {
    const { user, search } = await open('/priceLists')
    await screen.findByRole('link', { name: 'Verkauf 2026' })
    expect(requests.some((request) => request.includes('/price-lists?') && request.includes('filter[status_not_equals]=inactive'))).toBe(
      true,
    )
    await user.click(screen.getByRole('button', { name: 'Archiv' }))
    await waitFor(() => expect(search()).toBe('?f.status=inactive'))
    await waitFor(() => expect(requests.some((request) => request.includes('filter[status]=inactive'))).toBe(true))
    expect(await screen.findByRole('button', { name: 'Archiv verlassen' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('shows the impact of deleting many lists before it is confirmed', async () => {
    const { user } = await open('/priceLists')
    const inputs: unknown[] = []
    server.use(
      http.post('/api/admin/price-lists/bulk-delete/impact', async ({ request }) => {
        inputs.push(await request.json())
        return HttpResponse.json(impactAnswer())
      }),
      http.post('/api/admin/price-lists/bulk-delete', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ done: 3, refused: [] })
      }),
    )
    await user.click(await screen.findByRole('checkbox', { name: 'Alle Einträge der Seite auswählen' }))
    await user.click(await screen.findByRole('button', { name: 'Löschen …' }))
    const question = within(await screen.findByRole('alertdialog'))
    expect(await question.findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
    expect(sent).toEqual([])
    await user.type(question.getByRole('textbox'), '3{Enter}')
    await waitFor(() => expect(sent).toEqual([{ ids: [1, 2, 3], count: 3 }]))
    expect(inputs).toEqual(sent)
  })

  it('cancels the request of the impact when the deletion is confirmed first', async () => {
    const { opened, open: answer } = deferredAnswer()
    let signal: AbortSignal | undefined
    server.use(
      http.post('/api/admin/price-lists/{id}/impact', async ({ request }) => {
        signal = request.signal
        await opened
        return problem(404, 'not_found', 'Nicht gefunden.')
      }),
      http.delete('/api/admin/price-lists/{id}', async () => {
        await opened
        return problem(409, 'stale', 'Inzwischen geändert.')
      }),
    )
    const { user } = await open('/priceLists')
    await menuOf(user, 'Verkauf 2027')
    await user.click(screen.getByRole('menuitem', { name: 'Löschen' }))
    const question = within(await screen.findByRole('alertdialog'))
    await question.findByText(/wird berechnet/)
    await waitFor(() => expect(signal).toBeDefined())
    expect(signal?.aborted).toBe(false)
    await user.click(question.getByRole('button', { name: 'Löschen' }))
    await waitFor(() => expect(signal?.aborted).toBe(true))
    answer()
    // the impact of lists that were not deleted is requested again
    expect(await question.findByText('Inzwischen geändert.')).toBeInTheDocument()
    expect(await question.findByText(/lässt sich nicht berechnen/)).toBeInTheDocument()
  })

  it('sorts by start at the status column', async () => {
    const { user, search } = await open('/priceLists')
    await user.click(within(await screen.findByRole('columnheader', { name: /^Status/ })).getByRole('button'))
    await waitFor(() => expect(search()).toContain('sort=valid_from'))
  })

  it('offers to delete only planned lists, and to change only the user’s own', async () => {
    const { user } = await open('/priceLists')
    expect(await menuOf(user, 'Verkauf 2027')).toContain('Löschen')
    await user.keyboard('{Escape}')
    const valid = await menuOf(user, 'Verkauf 2026')
    expect(valid).toEqual(expect.arrayContaining(['Preise bearbeiten', 'Neue Version ab …', 'Archivieren']))
    expect(valid).not.toContain('Löschen')
    await user.keyboard('{Escape}')
    const foreign = await menuOf(user, 'Fremde Liste')
    expect(foreign).toContain('Preise ansehen')
    expect(foreign).not.toEqual(expect.arrayContaining(['Archivieren']))
  })
})

describe('the page', () => {
  it('deletes only planned lists', async () => {
    const { unmount } = await open('/priceLists/1')
    await screen.findByRole('button', { name: 'Archivieren' })
    expect(screen.queryByRole('button', { name: 'Löschen' })).not.toBeInTheDocument()
    unmount()
    await open('/priceLists/2')
    expect(await screen.findByRole('button', { name: 'Löschen' })).toBeInTheDocument()
  })

  it('links to the import of a file into the list, and back', async () => {
    const { user, path, search } = await open('/priceLists/1')
    await user.click(await screen.findByRole('link', { name: 'Datei importieren' }))
    await waitFor(() => expect(path() + search()).toBe('/imports/new?priceList=1'))
    await waitFor(() => expect(screen.getByLabelText('Preisliste')).toHaveValue('Verkauf 2026'))
    expect(screen.queryByLabelText('Inhalt *')).not.toBeInTheDocument()
    expect(screen.getByText(/Die Datei gilt als Ganzes/)).toBeInTheDocument()
    await user.selectOptions(screen.getByLabelText('Umgang mit vorhandenen Einträgen *'), 'Alles ersetzen')
    expect(screen.getByText(/werden aus der Liste entfernt/)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Abbrechen' }))
    await user.click(await screen.findByRole('button', { name: 'Änderungen verwerfen' }))
    await waitFor(() => expect(path() + search()).toBe('/priceLists/1/prices'))
  })

  it('is chosen in the wizard, from lists that accept a file', async () => {
    const { user } = renderApp('/imports/new?tenantId=1')
    const inputs: string[] = []
    server.events.on('request:start', ({ request }) => void inputs.push(decodeURIComponent(request.url)))
    await user.selectOptions(await screen.findByLabelText('Inhalt *'), 'Preise einer Preisliste')
    db.inspectedLines = ['Artikelnummer', 'HEB-200']
    const file = new File(['Artikelnummer\r\nHEB-200'], 'preise.csv', { type: 'text/csv' })
    await user.upload(await screen.findByLabelText('Datei *'), file)
    await user.click(screen.getByRole('button', { name: 'Vorschau' }))
    const field = screen.getByRole('combobox', { name: /^Preisliste/ })
    await waitFor(() => expect(field).toHaveAccessibleDescription('Pflichtfeld'))
    expect(inputs.some((url) => url.includes('/inspect'))).toBe(false)

    await user.click(field)
    await user.click(await screen.findByRole('option', { name: /Verkauf 2027/ }))
    const offered = inputs.find((url) => url.includes('/price-lists?'))
    expect(offered).toContain('filter[owner_tenant_id]=1')
    expect(offered).not.toContain('inactive')
    expect(await screen.findByText('1 von 1 Spalten erkannt')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Vorschau' }))
    await waitFor(() => expect(db.imports.at(-1)).toMatchObject({ type: 'PriceList', price_list: { id: 2 }, dry_run: true }))
  })

  it('is not sent with a file of another type', async () => {
    const { user } = renderApp('/imports/new?tenantId=1')
    await user.selectOptions(await screen.findByLabelText('Inhalt *'), 'Preise einer Preisliste')
    await user.click(screen.getByRole('combobox', { name: /^Preisliste/ }))
    await user.click(await screen.findByRole('option', { name: /Verkauf 2027/ }))
    await user.selectOptions(screen.getByLabelText('Inhalt *'), 'Preise')
    expect(screen.queryByRole('combobox', { name: /^Preisliste/ })).not.toBeInTheDocument()
    db.inspectedLines = ['Artikelnummer', 'HEB-200']
    await user.upload(screen.getByLabelText('Datei *'), new File(['x'], 'preise.csv', { type: 'text/csv' }))
    await screen.findByText(/Spalten erkannt/)
    await user.click(screen.getByRole('button', { name: 'Importieren' }))
    await waitFor(() => expect(db.imports.at(-1)).toMatchObject({ type: 'Price', price_list: null }))
  })

  it('requires the complete file for a correction', async () => {
    Object.assign(db.imports.find(({ id }) => id === 3) as object, {
      type: 'PriceList',
      price_list: { id: 1, name: 'Verkauf 2026' },
      status: 'Failed',
    })
    const { user, search } = renderApp('/imports/3')
    await user.click(await screen.findByRole('link', { name: 'Korrigierte Datei hochladen' }))
    await waitFor(() => expect(search()).toBe('?tenantId=1&priceList=1'))
    expect(await screen.findByText(/die ganze Datei mit den korrigierten Zeilen/)).toBeInTheDocument()
    expect(screen.queryByText(/Fehlerdatei so hoch, wie sie ist/)).not.toBeInTheDocument()
  })

  it('requires a dry run of a file before its prices change', async () => {
    const { user, path } = renderApp('/imports/new?priceList=1&tenantId=1')
    db.inspectedLines = ['Artikelnummer', 'HEB-200']
    const file = new File(['Artikelnummer\r\nHEB-200'], 'preise.csv', { type: 'text/csv' })
    await user.upload(await screen.findByLabelText('Datei *'), file)
    expect(await screen.findByText('1 von 1 Spalten erkannt')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Importieren' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Vorschau' }))
    expect(await screen.findByRole('heading', { name: 'Vorschau' })).toBeInTheDocument()
    expect(path()).toBe('/imports/new')
    expect(db.imports.at(-1)).toMatchObject({ type: 'PriceList', price_list: { id: 1 }, dry_run: true })
  })

  it('keeps the start of a valid list with its seconds, and sends no hidden audience', async () => {
    lists = [priceListRow({ valid_from: '2026-01-01T07:30:12.345Z', scope: 'own', tenants: [{ id: 2, company: 'Rheinstahl AG' }] })]
    const { user } = await open('/priceLists/1')
    const form = within(screen.getByRole('main'))
    expect(await form.findByLabelText('Gültig ab, Tag')).toBeDisabled()
    await user.selectOptions(form.getByLabelText('Geltung *'), 'Global')
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    const dialog = within(await screen.findByRole('dialog', { name: '„Verkauf 2026“ ändern?' }))
    await dialog.findByText(/^312 von 1\.240 Artikeln/)
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({
      valid_from: '2026-01-01T07:30:12.345Z',
      limited: false,
      valid_until: null,
      scope: 'global',
      tenant_ids: [],
      version: 4,
    })
    // the shown impact is that of the saved change
    expect(inputs).toEqual([{ change: sent[0] }])
  })

  it('shows the impact of the user’s own list, but not of another company’s', async () => {
    const { user, unmount } = await open('/priceLists/1')
    await user.click(await screen.findByRole('button', { name: 'Auswirkung' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Auswirkung von „Verkauf 2026“' }))
    expect(await dialog.findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
    expect(inputs).toEqual([{}])
    // the dialog only informs, so it has no actions
    expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Schließen'])
    await user.click(dialog.getByRole('button', { name: 'Schließen' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    unmount()
    await open('/priceLists/3')
    await screen.findByText(/gehört einem anderen Unternehmen/)
    expect(screen.queryByRole('button', { name: 'Auswirkung' })).not.toBeInTheDocument()
  })

  it('is named for customers and announced by its owner', async () => {
    const { user } = renderApp('/priceLists/2/details')
    expect(await screen.findByText('Geplant')).toBeVisible()
    await user.type(await screen.findByLabelText('Name für Kunden'), 'Preisliste Träger')
    expect(screen.getByLabelText('Name für Kunden')).toHaveAccessibleDescription(/So heißt die Liste für Ihre Kunden/)
    await user.click(screen.getByLabelText('Kunden schon vor Beginn zeigen'))
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    const dialog = within(await screen.findByRole('dialog', { name: '„Verkauf 2027“ ändern?' }))
    await user.click(await dialog.findByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toMatchObject({ name: 'Verkauf 2027', customer_name: 'Preisliste Träger', announce: true })
  })

  it('shows customers of an announced list only its name for customers', async () => {
    lists = lists.map((list) => (list.id === 3 ? { ...list, status: 'pending', announce: null } : list))
    renderApp('/priceLists/3/details')
    expect(await screen.findByText('Angekündigt')).toBeVisible()
    expect(await screen.findByLabelText(/^Name/)).toHaveValue('Fremde Liste')
    expect(screen.queryByLabelText('Name für Kunden')).not.toBeInTheDocument()
    expect(screen.queryByLabelText('Kunden schon vor Beginn zeigen')).not.toBeInTheDocument()
  })

  it('explains why a foreign list and an expired one cannot be changed', async () => {
    const { unmount } = await open('/priceLists/3')
    expect(await screen.findByText(/gehört einem anderen Unternehmen/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Speichern' })).not.toBeInTheDocument()
    unmount()
    lists = [priceListRow({ status: 'inactive', valid_until: '2026-02-01T00:00:00Z', limited: true })]
    await open('/priceLists/1')
    expect(await screen.findByText(/ist abgelaufen und lässt sich nicht mehr ändern/)).toBeInTheDocument()
    // the read-only notice is shown once, without the earliest start
    expect(screen.queryByText(/dürfen diesen Eintrag ansehen/)).not.toBeInTheDocument()
    expect(screen.queryByText(/Frühestens in fünf Minuten/)).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Archivieren' })).not.toBeInTheDocument()
  })

  it('shows the effect of archiving, also on prices, before it is confirmed', async () => {
    const { user } = await open('/priceLists/1')
    await user.click(await screen.findByRole('button', { name: 'Archivieren' }))
    const question = within(await screen.findByRole('alertdialog', { name: '„Verkauf 2026“ archivieren?' }))
    expect(question.getByText(/verliert sofort ihre Gültigkeit/)).toBeInTheDocument()
    expect(await question.findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
    expect(inputs).toEqual([{ archive: true }])
    await user.click(question.getByRole('button', { name: 'Archivieren' }))
    expect(await screen.findByText('„Verkauf 2026“ liegt jetzt im Archiv')).toBeInTheDocument()
    expect(sent).toEqual([{ version: 4 }])
  })

  it('names its customers, with reasons', async () => {
    server.use(
      http.get('/api/admin/price-lists/{id}/audience', () =>
        HttpResponse.json({
          count: 2,
          excluded_tenants: [{ id: 3, company: 'Südrohr AG' }],
          tenants: [
            { id: 1, company: 'Nordstahl Handel GmbH', because: [{ code: 'owner', group: null }] },
            {
              id: 2,
              company: 'Rheinstahl AG',
              because: [
                { code: 'named', group: null },
                { code: 'group', group: 'Verbund Nord' },
              ],
            },
          ],
        }),
      ),
    )
    await open('/priceLists/1/audience')
    expect(await screen.findByRole('row', { name: 'Rheinstahl AG Namentlich genannt · Mitglied von Verbund Nord' })).toBeInTheDocument()
    expect(screen.getByText('Ausgenommen: Südrohr AG.')).toBeInTheDocument()
  })
})

describe('a new version', () => {
  const dialog = async (user: Awaited<ReturnType<typeof open>>['user']) => {
    await user.click(await screen.findByRole('button', { name: 'Neue Version ab …' }))
    return within(await screen.findByRole('dialog', { name: 'Neue Version von „Verkauf 2026“' }))
  }

  it('previews the prices before it is created, and opens it', async () => {
    server.use(
      http.post('/api/admin/price-lists/{id}/copy', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ price_list: priceListRow({ id: 2, name: 'Verkauf 2027' }), difference }, { status: 201 })
      }),
    )
    const { user, path } = await open('/priceLists/1')
    const form = await dialog(user)
    await user.selectOptions(form.getByLabelText('Änderung *'), 'In Prozent')
    await user.type(form.getByLabelText('Um *'), '3')
    expect(form.getByLabelText('Runden auf')).toHaveValue('0,01')
    await user.clear(form.getByLabelText('Runden auf'))
    await user.type(form.getByLabelText('Runden auf'), '0,5')
    await user.selectOptions(form.getByLabelText('Rundung *'), 'Aufrunden')
    // a preview of earlier input disappears as soon as the one for the last input is loaded
    await waitFor(() => {
      expect(form.getByRole('row', { name: /HEB-200 850,00.€.\/.t 875,50.€.\/.t \+3,00.%/ })).toBeInTheDocument()
      expect(form.getByRole('row', { name: /HEB-220.*Damit läge der Preis unter null/ })).toBeInTheDocument()
    })
    await user.clear(form.getByLabelText('Gültig ab, Tag'))
    await user.type(form.getByLabelText('Gültig ab, Tag'), '01.01.2027')
    await user.click(form.getByRole('button', { name: 'Neue Version anlegen' }))
    const impact = await screen.findByRole('dialog', { name: '„Verkauf 2026 (neu)“ anlegen?' })
    expect(within(impact).getByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
    await user.click(within(impact).getByRole('button', { name: 'Zurück zur neuen Version' }))
    await waitFor(() => expect(impact).not.toBeInTheDocument())
    expect(sent).toEqual([])
    await user.click(form.getByRole('button', { name: 'Neue Version anlegen' }))
    const again = within(await screen.findByRole('dialog', { name: '„Verkauf 2026 (neu)“ anlegen?' }))
    await user.click(again.getByRole('button', { name: 'Neue Version anlegen' }))
    await waitFor(() => expect(path()).toBe('/priceLists/2/prices'))
    expect(inputs).toEqual([{ copy: sent[0] }, { copy: sent[0] }])
    expect(sent).toEqual([
      {
        name: 'Verkauf 2026 (neu)',
        valid_from: '2026-12-31T23:00:00.000Z',
        valid_until: null,
        change: { percent: '3' },
        rounding: { to: '0.5', direction: 'up' },
        ends_original: true,
        version: 4,
      } satisfies PriceListCopy,
    ])
  })

  it('is not created without the chosen change', async () => {
    const { user } = await open('/priceLists/1')
    const form = await dialog(user)
    await user.selectOptions(form.getByLabelText('Änderung *'), 'Je Tonne')
    await user.click(form.getByRole('button', { name: 'Neue Version anlegen' }))
    expect(await form.findByText('Pflichtfeld')).toBeInTheDocument()
    expect(sent).toEqual([])
  })

  it('shows errors of the server at their fields', async () => {
    server.use(
      http.post('/api/admin/price-lists/{id}/impact', () =>
        problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', {
          'change.percent': ['Höchstens 1.000.'],
          name: ['Schon vergeben.'],
        } as never),
      ),
    )
    const { user } = await open('/priceLists/1')
    const form = await dialog(user)
    await user.selectOptions(form.getByLabelText('Änderung *'), 'In Prozent')
    await user.type(form.getByLabelText('Um *'), '2000')
    await user.click(form.getByRole('button', { name: 'Neue Version anlegen' }))
    await waitFor(() => expect(form.getByLabelText('Um *')).toHaveAccessibleDescription(/Höchstens 1\.000/))
    expect(form.getByLabelText('Name *')).toHaveAccessibleDescription('Schon vergeben.')
    // an error that was corrected disappears from the summary as well
    expect(form.getByRole('alert')).toHaveTextContent('Schon vergeben.')
    await user.type(form.getByLabelText('Name *'), ' neu')
    await waitFor(() => expect(form.getByRole('alert')).not.toHaveTextContent('Schon vergeben.'))
    expect(form.getByRole('alert')).toHaveTextContent('Höchstens 1.000.')
    await user.clear(form.getByLabelText('Um *'))
    await user.type(form.getByLabelText('Um *'), '20')
    await waitFor(() => expect(form.queryByRole('alert')).not.toBeInTheDocument())
  })

  it('shows errors of the preview at their fields, and no outdated preview', async () => {
    server.use(
      http.post('/api/admin/price-lists/{id}/copy/preview', async ({ request }) => {
        const { change } = (await request.json()) as PriceListCopy
        return change?.percent?.startsWith('-')
          ? problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', { 'change.percent': ['Mindestens -100.'] } as never)
          : HttpResponse.json(difference)
      }),
    )
    const { user } = await open('/priceLists/1')
    const form = await dialog(user)
    await user.selectOptions(form.getByLabelText('Änderung *'), 'In Prozent')
    const by = form.getByLabelText('Um *')
    await user.type(by, '3')
    expect(await form.findByRole('row', { name: /HEB-200/ })).toBeInTheDocument()
    await user.type(by, 'e30')
    expect(await form.findByText('Bitte geben Sie einen Prozentsatz ein, zum Beispiel 2,5')).toBeInTheDocument()
    expect(form.queryByRole('row', { name: /HEB-200/ })).not.toBeInTheDocument()
    await user.clear(by)
    await user.type(by, '-150')
    await waitFor(() => expect(by).toHaveAccessibleDescription(/Mindestens -100/))
    expect(form.getByRole('alert')).toHaveTextContent('Mindestens -100.')
    await user.clear(by)
    await user.type(by, '5')
    expect(await form.findByRole('row', { name: /HEB-200/ })).toBeInTheDocument()
    expect(form.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('the timeline', () => {
  const timeline: PriceListTimeline = {
    lists: [
      {
        id: 1,
        name: 'Verkauf 2026',
        valid_from: '2026-01-01T00:00:00Z',
        valid_until: '2098-01-01T00:00:00Z',
        applies: 'global',
        price: { price: '850', price_quantity: '1', unit: 't' },
      },
      {
        id: 2,
        name: 'Aktion',
        valid_from: '2097-01-01T00:00:00Z',
        valid_until: '2099-01-01T00:00:00Z',
        applies: 'own',
        price: { price: '800', price_quantity: '1', unit: 't' },
      },
    ],
    segments: [
      { from: '2026-01-01T00:00:00Z', until: '2097-01-01T00:00:00Z', counts: 1, behind: [] },
      { from: '2097-01-01T00:00:00Z', until: '2098-01-01T00:00:00Z', counts: 2, behind: [1] },
      { from: '2098-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z', counts: 2, behind: [] },
      { from: '2099-01-01T00:00:00Z', until: null, counts: null, behind: [] },
    ],
  }

  it('marks overlaps and gaps, in the drawing and in a table', async () => {
    server.use(
      http.post('/api/admin/price-lists/timeline', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(timeline)
      }),
    )
    const { container, user, search } = await open('/priceLists/timeline?article=1')
    const table = within(await screen.findByRole('table', { name: 'Zeitachse der Preislisten' }))
    const rows = table
      .getAllByRole('row')
      .slice(1)
      .map((one) => one.textContent?.replace(/\s/g, ' '))
    expect(rows[0]).toContain('Jetzt')
    expect(rows[1]).toMatch(/Aktion \(Eigene\)800,00 € \/ tVerkauf 2026$/)
    expect(rows[3]).toMatch(/ohne EndeLücke: Preis am Bestand/)
    expect(
      screen.getByText('Künftig gibt es 1 Lücke: Dort gilt der Preis am Bestand. In 1 Zeitraum überschneiden sich Preislisten.'),
    ).toBeInTheDocument()
    expect([...container.querySelectorAll('[data-kind]')].map((one) => one.getAttribute('data-kind'))).toEqual([
      'clear',
      'overlap',
      'clear',
      'gap',
    ])
    // labels are drawn above the line of the current time
    const behind = [...container.querySelectorAll('[data-now] ~ text')].map((one) => one.textContent)
    expect(behind).toEqual(expect.arrayContaining([expect.stringContaining('Verkauf 2026'), expect.stringContaining('Aktion'), 'Es gilt']))
    await user.selectOptions(screen.getByLabelText('Art'), 'Interner Preis')
    await waitFor(() => expect(sent.at(-1)).toEqual({ article_id: 1, buyer_id: null, type: 'internal' }))
    expect(search()).toContain('type=internal')
  })

  it('finds customers by name, short code and town for all users', async () => {
    server.use(
      http.post('/api/admin/price-lists/timeline', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(timeline)
      }),
    )
    const { user, search } = await open('/priceLists/timeline?article=1')
    const customer = await screen.findByLabelText('Kunde')
    await user.type(customer, 'sued')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(sent.at(-1)).toEqual({ article_id: 1, buyer_id: 2, type: 'sales' }))
    expect(customer).toHaveValue('Südrohr AG · SUED')
    expect(search()).toContain('buyer=2')
  })

  it('shows what to do without an article, and reports an unknown customer', async () => {
    const { unmount } = await open('/priceLists/timeline')
    expect(await screen.findByText('Noch kein Artikel gewählt')).toBeInTheDocument()
    unmount()
    server.use(
      http.post('/api/admin/price-lists/timeline', () =>
        problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', { buyer_id: ['Diesen Mandanten gibt es nicht.'] } as never),
      ),
    )
    await open('/priceLists/timeline?article=1&buyer=99')
    expect(await screen.findByText('Kunde: Diesen Mandanten gibt es nicht.')).toBeInTheDocument()
  })

  it('asks platform users for a tenant', async () => {
    await open('/priceLists/timeline', 'admin')
    expect(await screen.findByRole('heading', { level: 1, name: 'Mandant wählen' })).toBeInTheDocument()
    expect(requests.filter((request) => request.includes('timeline'))).toEqual([])
  })
})
