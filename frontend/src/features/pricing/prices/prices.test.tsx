import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Price, PriceImpact, PricesImpactInput } from '~/api/schema'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'
import type { PriceOfStock } from './api'

const row = (id: number): Price => ({
  id,
  version: 1,
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
  confirmed_at: null,
  tenant: { id: 1, short_code: 'NORD' },
  article: { id, article_number: `HEB-${id}`, article_name: `HEB ${id}`, base_unit: 'm', listing_unit: 'm', price_unit: 't' },
  external_article_number: null,
  warehouse: { id: 1, short_code: 'DU' },
  availability_type: 'always',
  quantity: null,
  quantity_unit: 'm',
  length: null,
  width: null,
  height: null,
  internal_price: null,
  external_price: { price: '850', price_quantity: '1', unit: 't' },
  internal_bulk_prices: [],
  external_bulk_prices: [],
  margin: null,
  external_price_per_tonne: '850',
  held: null,
})

let rows: Price[]
let sent: PriceOfStock[][]
let waiting: number
/** Requests for the impact, and the answer to them. */
let impacts: PricesImpactInput[]
let impact: PriceImpact

beforeAll(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
})
afterAll(() => vi.restoreAllMocks())

beforeEach(() => {
  rows = [1, 2, 3].map(row)
  sent = []
  waiting = 0
  impacts = []
  impact = impactAnswer({ articles_touched: 0, below_internal_before: 5, sample_carts: [] })
  server.use(
    http.post('/api/admin/prices/impact', async ({ request }) => {
      impacts.push((await request.json()) as PricesImpactInput)
      return HttpResponse.json(impact)
    }),
    http.get('/api/admin/prices', () =>
      HttpResponse.json({ data: rows, meta: { current_page: 1, last_page: 1, per_page: 200, total: rows.length } }),
    ),
    http.get('/api/admin/held-prices', () =>
      HttpResponse.json({ data: [], meta: { current_page: 1, last_page: 1, per_page: 1, total: waiting } }),
    ),
    http.get('/api/admin/prices/{id}', ({ params }) => HttpResponse.json(rows[Number((params as { id: string }).id) - 1] as Price)),
    http.put('/api/admin/prices/bulk', async ({ request }) => {
      const { prices } = (await request.json()) as { prices: PriceOfStock[] }
      sent.push(prices)
      const errors = prices.flatMap(({ id, version, external_price }, at) => [
        ...(version === rows[id - 1]?.version ? [] : [[`prices.${at}.version`, ['stale']] as const]),
        ...(external_price?.unit === 'm' ? [[`prices.${at}.external_price.unit`, ['Nicht in Metern.']] as const] : []),
      ])
      if (errors.length > 0) return problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', Object.fromEntries(errors) as never)
      rows = rows.map((one) => {
        const put = prices.find(({ id }) => id === one.id)
        return put ? { ...one, version: one.version + 1, external_price: (put.external_price as Price['external_price']) ?? null } : one
      })
      return HttpResponse.json({ data: rows.filter(({ id }) => prices.some((put) => put.id === id)) })
    }),
  )
})

async function open() {
  const view = renderApp('/prices', 'tenantAdmin')
  await screen.findByRole('rowheader', { name: 'HEB-1' })
  const cell = (at: number, column: number) => view.container.querySelector(`[data-row="${at}"] [data-column="${column}"]`) as HTMLElement
  const save = () => view.user.click(screen.getByRole('button', { name: 'Speichern' }))
  return { ...view, cell, save }
}

it('saves all changes in one call, and shows them', async () => {
  const { user, cell, save } = await open()
  await user.click(cell(0, 4))
  await user.paste('92,50 €/100 kg\n861')
  await save()
  await screen.findByText('Die Preise von 2 Beständen wurden gespeichert')
  expect(sent).toHaveLength(1)
  expect(sent[0]?.map(({ id, version, external_price }) => [id, version, external_price])).toEqual([
    [1, 1, { price: '92.5', price_quantity: '100', unit: 'kg' }],
    [2, 1, { price: '861', price_quantity: '1', unit: 't' }],
  ])
  expect(cell(0, 4)).toHaveTextContent('92,50')
  expect(screen.getByText('Nichts geändert')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Speichern' })).toBeDisabled()
})

it('shows the impact of a save beforehand, if there is one', async () => {
  impact = impactAnswer()
  const { user, cell, save } = await open()
  await user.click(cell(0, 4))
  await user.paste('861')
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Preise der Bestände speichern?' }))
  expect(dialog.getByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
  expect(sent).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Speichern' }))
  await screen.findByText('Die Preise von 1 Bestand wurden gespeichert')
  expect(impacts).toEqual([{ prices: sent[0] }])
})

it('shows the impact of changed prices on demand, even if there is none', async () => {
  const { user, cell } = await open()
  const show = screen.getByRole('button', { name: 'Auswirkung' })
  expect(show).toBeDisabled()
  await user.click(cell(0, 4))
  await user.paste('861')
  await user.click(show)
  const dialog = within(await screen.findByRole('dialog', { name: 'Preise der Bestände speichern?' }))
  expect(await dialog.findByText(/Kein Preis der untersuchten Warenkörbe ändert sich/)).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Zurück zur Tabelle' }))
  expect(sent).toEqual([])
})

it('shows errors of the impact at their cells', async () => {
  server.use(
    http.post('/api/admin/prices/impact', () =>
      problem(422, 'invalid', '', { 'prices.0.external_price.unit': ['Nicht in Metern.'] } as never),
    ),
  )
  const { user, cell, save } = await open()
  await user.click(cell(1, 6))
  await user.paste('m')
  await save()
  await waitFor(() => expect(cell(1, 6)).toHaveAccessibleDescription(/Nicht in Metern/))
  expect(sent).toEqual([])
})

it('shows the impact of an undo before it is confirmed, and that of undoing the undo', async () => {
  const requests: unknown[] = []
  server.use(
    http.put('/api/admin/prices/bulk', () =>
      HttpResponse.json({ data: rows.slice(0, 1) }, { headers: { 'x-request-id': 'a'.repeat(32) } }),
    ),
    http.post('/api/admin/audit/undo', async ({ request }) => {
      requests.push(await request.json())
      const outcome = { done: 1, refused: [], asks_for_articles: null, asks_for_deletions: null }
      return HttpResponse.json(outcome, { headers: { 'x-request-id': 'b'.repeat(32) } })
    }),
    http.post('/api/admin/audit/impact', async ({ request }) => {
      requests.push(['impact', await request.json()])
      return HttpResponse.json(impactAnswer())
    }),
  )
  const { user, cell, save } = await open()
  await user.click(cell(0, 4))
  await user.paste('861')
  await save()
  await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
  const question = async () => within(await screen.findByRole('alertdialog', { name: 'Preisänderung rückgängig machen?' }))
  expect(await (await question()).findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
  const saved = { request_id: 'a'.repeat(32) }
  expect(requests).toEqual([['impact', saved]])
  await user.click((await question()).getByRole('button', { name: 'Rückgängig machen' }))
  await screen.findByText('Rückgängig gemacht')
  expect(requests).toEqual([['impact', saved], saved])
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Rückgängig' }))
  await (await question()).findByText(/^312 von 1\.240 Artikeln/)
  await user.click((await question()).getByRole('button', { name: 'Abbrechen' }))
  expect(requests.at(-1)).toEqual(['impact', { request_id: 'b'.repeat(32) }])
})

it('sends nothing as long as a cell is no price', async () => {
  const { user, cell, save } = await open()
  await user.click(cell(0, 4))
  await user.keyboard('auf Anfrage{Enter}')
  await save()
  expect(await screen.findByText('Nichts gespeichert: Bitte korrigieren Sie zuerst die markierten Zellen.')).toBeVisible()
  expect(sent).toEqual([])
})

it('shows errors of the server at their cells', async () => {
  const { user, cell, save } = await open()
  await user.click(cell(1, 6))
  await user.paste('m')
  await save()
  await waitFor(() => expect(cell(1, 6)).toBeInvalid())
  expect(cell(1, 6)).toHaveAccessibleDescription(/Nicht in Metern/)
})

describe('changes made by another user meanwhile', () => {
  const per = (price: string) => ({ price, price_quantity: '1', unit: 't' }) as const
  const theirs = (price: string) => {
    rows = rows.map((one) => (one.id === 2 ? { ...one, version: 7, external_price: per(price) } : one))
  }

  it('are shown beside own and former values, and nothing is overwritten without a choice', async () => {
    const { user, cell, save } = await open()
    await user.click(cell(1, 4))
    await user.keyboard('900{Enter}')
    await user.click(cell(0, 4))
    await user.keyboard('861{Enter}')
    theirs('877')
    await save()
    expect(await screen.findByText(/Es wurde noch nichts gespeichert: 1 Zeile ist zu prüfen/)).toBeVisible()
    await waitFor(() => expect(cell(1, 4)).toBeInvalid())
    expect(cell(1, 4)).toHaveAccessibleDescription(/inzwischen gespeichert ist 877,00, vorher war es 850,00/)
    expect(cell(1, 4)).toHaveTextContent('900')
    const bar = screen.getByRole('group', { name: '1 Zelle haben auch andere geändert' })
    expect(bar).toHaveTextContent('Ihre Eingabe: 900,00 · 1 · t')
    expect(bar).toHaveTextContent('Gespeichert: 877,00 · 1 · t')
    expect(bar).toHaveTextContent('Vorher: 850,00 · 1 · t')
    const before = sent.length
    await save()
    expect(await screen.findByText(/wählen Sie bitte zuerst, welcher Wert gilt/)).toBeVisible()
    expect(sent).toHaveLength(before)
    await user.click(within(bar).getByRole('button', { name: 'Meine behalten' }))
    await save()
    await screen.findByText('Die Preise von 2 Beständen wurden gespeichert')
    expect(sent.at(-1)?.map(({ id, version, external_price }) => [id, version, external_price])).toEqual([
      [2, 7, per('900')],
      [1, 1, per('861')],
    ])
  })

  it('can be accepted instead of own ones', async () => {
    const { user, cell, save } = await open()
    await user.click(cell(1, 4))
    await user.keyboard('900{Enter}')
    theirs('877')
    await save()
    await user.click(await screen.findByRole('button', { name: 'Gespeicherte übernehmen' }))
    expect(cell(1, 4)).toHaveTextContent('877,00')
    expect(screen.getByRole('button', { name: 'Speichern' })).toBeDisabled()
  })
})

it('names the users with other prices under review, and lets the user choose which are reviewed', async () => {
  const money = (price: string) => ({ price, price_quantity: '1', unit: 't' }) as const
  const proposal = (id: number, name: string, price: string) => ({
    id,
    by: { id, name },
    internal_price: null,
    external_price: money(price),
    since: '2026-11-27T08:00:00Z',
  })
  const refused: unknown[] = []
  server.use(
    http.put('/api/admin/prices/bulk', () =>
      HttpResponse.json({
        data: [{ ...(rows[0] as Price), held: { ...proposal(5, 'Adele', '9000'), others: [proposal(4, 'Eva Lindner', '8000')] } }],
      }),
    ),
    http.post('/api/admin/held-prices/bulk-change', async ({ request }) => {
      refused.push(await request.json())
      return HttpResponse.json({ done: 1, refused: [] })
    }),
  )
  const { user, cell, save } = await open()
  await user.click(cell(0, 4))
  await user.paste('9000')
  await save()
  const dialog = await screen.findByRole('dialog', { name: 'Es wartet noch ein anderer Preis' })
  expect(dialog).toHaveTextContent('Ihr Preis: Externer Preis 9.000,00 € / t')
  expect(dialog).toHaveTextContent('Eva Lindner: Externer Preis 8.000,00 € / t')
  expect(within(dialog).getByRole('radio', { name: 'Beide Preise prüfen lassen' })).toBeChecked()
  await user.click(within(dialog).getByRole('radio', { name: 'Meinen Preis zurückziehen' }))
  await user.click(within(dialog).getByRole('button', { name: 'Übernehmen' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(refused).toEqual([{ selection: { ids: [5], count: 1 }, change: { field: 'decision', value: 'refuse' } }])
})

it('links to prices under review, if there are any', async () => {
  waiting = 3
  const { user, path } = await open()
  expect(await screen.findByText(/3 Preise sind unplausibel/)).toBeInTheDocument()
  await user.click(screen.getByRole('link', { name: 'Preise prüfen' }))
  await waitFor(() => expect(path()).toBe('/prices/held'))
})

describe('quantity breaks', () => {
  const tier = { quantity_from: '120', quantity_unit: 'm', price: '830', price_quantity: '1', unit: 't' } as const
  const put = (answer: (body: PriceOfStock) => Response) =>
    server.use(http.put('/api/admin/prices/{id}', async ({ request }) => answer((await request.json()) as PriceOfStock) as never))

  async function openTiers() {
    rows = rows.map((one) => (one.id === 1 ? { ...one, external_bulk_prices: [tier] } : one))
    const view = await open()
    await view.user.click(view.cell(0, 0))
    await view.user.keyboard('{ArrowRight>7/}{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Staffelpreise' })
    await within(dialog).findByRole('group', { name: 'Staffel 1' })
    return { ...view, dialog }
  }

  it('are shown in short, opened by Enter, and saved with the current prices', async () => {
    const bodies: PriceOfStock[] = []
    put((body) => {
      bodies.push(body)
      const saved = { ...(rows[0] as Price), version: 2, external_bulk_prices: body.external_bulk_prices as Price['external_bulk_prices'] }
      rows = rows.map((one) => (one.id === 1 ? saved : one))
      return HttpResponse.json(saved)
    })
    const { user, cell, dialog } = await openTiers()
    expect(cell(0, 7)).toHaveTextContent('120')
    await user.click(within(dialog).getAllByRole('button', { name: 'Hinzufügen' })[0] as HTMLElement)
    // in the unit of the tier before it
    await user.keyboard('240{Tab}{Tab}815,5{Enter}')
    await screen.findByText('Die Staffelpreise wurden gespeichert')
    expect(bodies).toMatchObject([
      {
        external_price: { price: '850', price_quantity: '1', unit: 't' },
        external_bulk_prices: [tier, { ...tier, quantity_from: '240', price: '815.5' }],
        internal_bulk_prices: [],
        version: 1,
      },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(cell(0, 7)).toHaveTextContent('815,5')
    expect(cell(0, 7)).toHaveFocus()
  })

  it('show their price unit, unless it is that of the price', async () => {
    const price = { price: '85', price_quantity: '100', unit: 'kg' } as const
    const other = { ...tier, quantity_from: '5', quantity_unit: 't', price: '83', price_quantity: '100', unit: 'kg' } as const
    rows = rows.map((one) => (one.id === 1 ? { ...one, external_price: price, external_bulk_prices: [tier, other] } : one))
    const { cell } = await open()
    await waitFor(() => expect(cell(0, 7)).toHaveTextContent('≥ 120 m: 830,00 € / t · ≥ 5 t: 83'))
    expect(cell(0, 7).textContent).toMatch(/83$/)
  })

  it('are resolved if another user has saved them first, based on the current prices', async () => {
    const bodies: PriceOfStock[] = []
    put((body) => {
      const now = rows[0] as Price
      if (body.version !== now.version) return problem(409, 'stale', 'Inzwischen geändert.')
      bodies.push(body)
      return HttpResponse.json({ ...now, version: 3, external_bulk_prices: body.external_bulk_prices as Price['external_bulk_prices'] })
    })
    const { user, dialog } = await openTiers()
    const price = { price: '860', price_quantity: '1', unit: 't' } as const
    const theirs = [
      { ...tier, price: '820' },
      { ...tier, quantity_from: '60', price: '840' },
    ]
    rows = rows.map((one) => (one.id === 1 ? { ...one, version: 2, external_price: price, external_bulk_prices: theirs } : one))
    const first = within(within(dialog).getByRole('group', { name: 'Staffel 1' }))
    await user.clear(first.getByRole('textbox', { name: /^Preis/ }))
    await user.keyboard('825{Enter}')
    const conflict = within(await screen.findByRole('dialog', { name: 'Der Eintrag wurde zwischenzeitlich geändert' }))
    const question = within(await conflict.findByRole('radiogroup', { name: /Externe Staffelpreise: ≥\s120\sm/ }))
    expect(question.getByRole('radio', { name: /Ihre Eingabe: 825,00\s€\s\/\st/ })).toBeChecked()
    expect(question.getByRole('radio', { name: /Gespeicherter Stand: 820,00\s€\s\/\st/ })).toBeInTheDocument()
    expect(conflict.getByText(/≥ 60 m/)).toHaveTextContent('840,00 € / t')
    expect(bodies).toEqual([])
    await user.click(conflict.getByRole('button', { name: 'Auswahl speichern' }))
    await screen.findByText('Die Staffelpreise wurden gespeichert')
    expect(bodies).toMatchObject([
      {
        version: 2,
        external_price: price,
        external_bulk_prices: [
          { ...tier, price: '825' },
          { quantity_from: '60', price: '840' },
        ],
      },
    ])
  })

  it('have the errors of the server at their rows', async () => {
    put(() =>
      problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', { 'external_bulk_prices.1.quantity_from': ['Steht schon da.'] } as never),
    )
    const { user, dialog } = await openTiers()
    await user.click(within(dialog).getAllByRole('button', { name: 'Hinzufügen' })[0] as HTMLElement)
    await user.keyboard('240{Tab}{Tab}815{Enter}')
    const second = within(dialog).getByRole('group', { name: 'Staffel 2' })
    expect(await within(second).findByText('Steht schon da.')).toBeVisible()
    expect(within(second).getByRole('textbox', { name: /^Ab Menge/ })).toHaveFocus()
  })
})

it('shows the history of a price from the menu of its cell, by keyboard and by mouse', async () => {
  const requests: string[][] = []
  const change = (field: string, from: string | null, to: string) => ({ field, from, to, unit: null, of: null })
  server.use(
    http.get('/api/admin/audit', ({ request }) => {
      const { searchParams } = new URL(request.url)
      requests.push([searchParams.get('filter[record_id]') ?? '', ...searchParams.getAll('filter[field]')])
      const entry = {
        id: 5,
        at: '2026-11-20T08:00:00Z',
        action: 'changed',
        record: 'stock',
        record_id: 2,
        record_name: 'HEB-2, DU',
        tenant: null,
        user: { id: 3, name: 'Eva Lindner', platform: false },
        channel: 'session',
        through: null,
        address: null,
        changes: [change('external_price', '840', '850'), change('quantity', '1', '2')],
        request_id: null,
        undoes: null,
        undone: false,
        undoable: true,
      }
      return HttpResponse.json({ data: [entry] as never, meta: { current_page: 1, last_page: 1, per_page: 50, total: 1 } })
    }),
  )
  const { user, cell } = await open()
  await user.click(cell(1, 4))
  await user.keyboard('{Shift>}{F10}{/Shift}')
  await user.click(await screen.findByRole('menuitem', { name: 'Verlauf dieses Preises' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Verlauf: Externer Preis' }))
  expect(await dialog.findByText('Eva Lindner')).toBeVisible()
  expect(dialog.getByRole('button', { name: /Rückgängig machen/ })).toBeVisible()
  expect(dialog.queryByText(/Menge/)).not.toBeInTheDocument()
  expect(requests).toEqual([['2', 'external_price', 'external_price_quantity', 'external_price_unit']])
  await user.click(dialog.getByRole('button', { name: 'Schließen' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await user.pointer({ target: cell(0, 0), keys: '[MouseRight]' })
  expect(screen.queryByRole('menuitem')).not.toBeInTheDocument()
  await user.pointer({ target: cell(0, 4), keys: '[MouseRight]' })
  expect(await screen.findByRole('menuitem', { name: 'Verlauf dieses Preises' })).toBeVisible()
})
