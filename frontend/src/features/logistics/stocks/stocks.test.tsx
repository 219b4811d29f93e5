import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LiveStock, Stock, StockDatesInput } from '~/api/schema'
import { http } from '~/mocks/server'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'
import { stockSchema, toForm } from './schema'

const DAY = 86_400_000
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()

const row = (part: Partial<Stock> = {}): Stock => ({
  id: 1,
  version: 3,
  created_at: ago(90),
  updated_at: ago(3),
  confirmed_at: null,
  last_known: null,
  tenant: { id: 1, short_code: 'NORD' },
  article: { id: 1, article_number: 'HEB-200', article_name: 'HEB 200', base_unit: 'm', listing_unit: 'm', price_unit: 't' },
  image: null,
  external_article_number: '4711',
  warehouse: { id: 1, short_code: 'DU' },
  availability_type: 'quantity',
  quantity: '36.3',
  quantity_unit: 'm',
  weight: '2225.19',
  lead_time: 80,
  length: null,
  width: null,
  height: null,
  internal_price: null,
  external_price: { price: '85', price_quantity: '100', unit: 'kg' },
  internal_bulk_prices: [],
  external_bulk_prices: [],
  price_updated_at: ago(45),
  ...part,
})

let sent: Record<string, unknown>[]

beforeEach(() => {
  sent = []
  const data = [row(), row({ id: 2, length: '2500', updated_at: ago(20), external_price: null })]
  server.use(
    http.get('/api/admin/stocks', () => HttpResponse.json({ data, meta: { current_page: 1, last_page: 1, per_page: 40, total: 2 } })),
    http.get('/api/admin/stocks/{id}', () => HttpResponse.json(row())),
    http.post('/api/admin/stocks', async ({ request }) => {
      sent.push((await request.json()) as Record<string, unknown>)
      return HttpResponse.json(row({ id: 3 }), { status: 201 })
    }),
    http.post('/api/admin/articles/{id}/quantities', () =>
      HttpResponse.json({
        equivalents: [{ amount: '3', unit: 'piece' }],
        relations: [{ of: 'piece', amount: '12.1', unit: 'm' }],
        sheet: null,
      }),
    ),
  )
})

describe('the input of the form', () => {
  const form = { ...toForm(null), article_id: 1, warehouse_id: 2 }
  const parse = (part: object) => stockSchema.safeParse({ ...form, ...part })
  const paths = (part: object) => parse(part).error?.issues.map(({ path }) => path.join('.')) ?? []

  it('requires a quantity only if the availability is a quantity', () => {
    expect(paths({ quantity: '' })).toEqual(['quantity'])
    expect(paths({ quantity: '0', quantity_unit: 'm' })).toEqual([])
    expect(parse({ availability_type: 'always', quantity: '', quantity_unit: 'm' }).data).toMatchObject({
      quantity: null,
      quantity_unit: null,
    })
  })

  it('reads a lead time in common notations, or none', () => {
    expect(parse({ quantity: '1', lead_time: '1:20' }).data?.lead_time).toBe(80)
    expect(parse({ quantity: '1', lead_time: ' ' }).data?.lead_time).toBeNull()
    expect(paths({ quantity: '1', lead_time: '1:60' })).toEqual(['lead_time'])
    expect(parse({ quantity: '1', lead_time: '2' }).data?.lead_time).toBe(2880)
    expect(parse({ quantity: '1', lead_time: '2-3 Wochen' }).data?.lead_time).toBe(15 * 1440)
  })

  it('accepts no remnant without a length', () => expect(paths({ quantity: '1', length: '0' })).toEqual(['length']))
})

it('shows quantity with unit, price, and the age of both', async () => {
  renderApp('/stocks', 'tenantAdmin')
  await screen.findAllByRole('link', { name: /^HEB-200/ })
  const [first, second] = (await screen.findAllByRole('row')).slice(1).map((one) => one.textContent?.replace(/\s/g, ' '))
  expect(first).toMatch(/HEB-200.*DU.*36,3.*m.*Aktuell · vor 3 Tagen.*1h20m.*85,00 € \/ 100 kg.*Veraltet · /)
  expect(second).toContain('Älter · ')
  expect(screen.getByRole('button', { name: 'Aktionen für HEB-200, DU, 2500 mm' })).toBeInTheDocument()
})

it('adds up filtered stocks, and pages through the articles', async () => {
  const sum = { stocks: 41, without_quantity: 1, without_weight: 2, without_pieces: 0, weight: '2225.19', pieces: '3' }
  const article = row().article
  const sumQueries: URLSearchParams[] = []
  server.use(
    http.get('/api/admin/stocks/sums', ({ request }) => {
      const { searchParams } = new URL(request.url)
      sumQueries.push(searchParams)
      const number = searchParams.get('page[number]') ?? '1'
      return HttpResponse.json({
        total: sum,
        warehouses: [{ warehouse: { id: 1, short_code: 'DU' }, sum }],
        articles: [{ article: { ...article, article_number: `A-${number}` }, quantity: '36.3', quantity_unit: 'm', sum }],
        articles_total: 21,
      })
    }),
  )
  const { user } = renderApp('/stocks?f.availability_type=quantity&f.size=remnant', 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Summen' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Summen der gefilterten Bestände' }))
  expect(await dialog.findByText('41 Bestände · 3 Stück · 2,22519 t')).toBeVisible()
  expect(dialog.getByText(/^1 Bestand hat keine Menge/)).toBeVisible()
  expect(dialog.getByText(/^Im Gewicht fehlen 2 Bestände/)).toBeVisible()
  expect(dialog.queryByText(/^In der Stückzahl/)).not.toBeInTheDocument()
  const warehouses = within(dialog.getByRole('table', { name: 'Nach Lager' }))
  expect(warehouses.getByRole('row', { name: /^DU 41 3 2,22519$/ })).toBeInTheDocument()
  expect(dialog.getByRole('row', { name: /^A-1.*36,3.m 3 2,22519$/ })).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Nächste Seite' }))
  expect(await dialog.findByRole('row', { name: /^A-2/ })).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Nächste Seite' })).toBeDisabled()
  expect(sumQueries.map((one) => [one.get('filter[size]'), one.get('page[number]')])).toEqual([
    ['remnant', '1'],
    ['remnant', '2'],
  ])
})

it('changes the lead time of many stocks together', async () => {
  const bodies: unknown[] = []
  server.use(
    http.post('/api/admin/stocks/bulk-change', async ({ request }) => {
      bodies.push(await request.json())
      return HttpResponse.json({ done: 2, refused: [] })
    }),
  )
  const { user } = renderApp('/stocks', 'tenantAdmin')
  await screen.findAllByRole('link', { name: /^HEB-200/ })
  await user.click(await screen.findByRole('checkbox', { name: 'Alle Einträge der Seite auswählen' }))
  await user.click(await screen.findByRole('button', { name: 'Ändern …' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(await dialog.findByLabelText('Lieferzeit'), '2')
  await user.click(dialog.getByRole('button', { name: '2 Einträge ändern' }))
  await waitFor(() => expect(bodies).toEqual([{ selection: { ids: [1, 2], count: 2 }, change: { field: 'lead_time', value: 2880 } }]))
})

it('reads a quantity with its unit, and shows the result', async () => {
  const { user } = renderApp('/stocks/1', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  const quantity = await form.findByLabelText(/^Menge/)
  const enter = async (text: string) => {
    await user.clear(quantity)
    await user.type(quantity, text)
  }
  await enter('0.925')
  expect(form.queryByText(/^Verstanden/)).not.toBeInTheDocument()
  await enter('1.234')
  expect(await form.findByText('Verstanden als 1.234,00')).toBeVisible()
  expect(quantity).toHaveAccessibleDescription(expect.stringContaining('Verstanden als 1.234,00'))
  await user.tab()
  expect(quantity).toHaveValue('1.234')
  await enter('3 Stück')
  expect(form.getByLabelText('Einheit: Menge')).toHaveValue('piece')
  await enter('drei')
  await user.tab()
  expect(await form.findByText('Kein gültiger Betrag, zum Beispiel 1.234,50')).toBeVisible()
})

it('accepts a quantity in any unit of the article, and shows it in the others', async () => {
  const { user, path } = renderApp('/stocks/new', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  await user.type(form.getByLabelText(/^Artikel/), 'HP-60')
  await user.click(await screen.findByRole('option', { name: /^HP-60x40x4/ }))
  await user.click(form.getByLabelText(/^Lager/))
  await user.click(within(await screen.findByRole('listbox')).getAllByRole('option')[0] as HTMLElement)
  await user.type(form.getByLabelText(/^Menge/), '36,3')
  expect(await form.findByText(/36,3.m = 3.St/)).toBeInTheDocument()
  await user.selectOptions(form.getByLabelText('Verfügbarkeit *'), 'Immer verfügbar')
  expect(form.queryByLabelText(/^Menge/)).not.toBeInTheDocument()
  await user.selectOptions(form.getByLabelText('Verfügbarkeit *'), 'Menge')
  await user.type(form.getByLabelText(/^Menge/), '12,1')
  await user.type(form.getByLabelText('Lieferzeit'), '1:20')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/stocks'))
  expect(sent).toEqual([
    {
      article_id: db.articles[0]?.id,
      article_number: null,
      warehouse_id: expect.any(Number),
      warehouse_short_code: null,
      availability_type: 'quantity',
      quantity: '12.1',
      quantity_unit: 'm',
      lead_time: 80,
      length: null,
      width: null,
      height: null,
    },
  ])
})

describe('a stock of an external system', () => {
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const external = (part: Partial<Stock> = {}) => row({ availability_type: 'external-api', quantity: null, weight: null, ...part })
  const live = (part: Partial<LiveStock> = {}): LiveStock => ({
    answered_by: 'live',
    quantity: '12.5',
    unit: 'm',
    as_of: minutesAgo(0),
    reason: null,
    ...part,
  })
  const serve = (stock: Stock, answers: LiveStock[]) => {
    const requestCounts = { live: 0, lists: 0 }
    server.use(
      http.get('/api/admin/stocks', () => {
        requestCounts.lists += 1
        return HttpResponse.json({ data: [stock], meta: { current_page: 1, last_page: 1, per_page: 40, total: 1 } })
      }),
      http.get('/api/admin/stocks/{id}', () => HttpResponse.json(stock)),
      http.get('/api/admin/stocks/{id}/live', () => {
        requestCounts.live += 1
        return HttpResponse.json(answers.shift() ?? live())
      }),
    )
    return requestCounts
  }
  const section = async () => within(await screen.findByRole('region', { name: 'Menge laut externer API' }))

  it('shows the last known quantity with its age in the list, without a live request', async () => {
    const requestCounts = serve(external({ last_known: { quantity: '61.3', as_of: minutesAgo(5) } }), [])
    renderApp('/stocks', 'tenantAdmin')
    await screen.findAllByRole('link', { name: /^HEB-200/ })
    const [first] = (await screen.findAllByRole('row')).slice(1).map((one) => one.textContent?.replace(/\s/g, ' '))
    expect(first).toMatch(/61,3.*m.*Stand: vor 5 Minuten.*Aktuell · vor 5 Minuten/)
    expect(requestCounts.live).toBe(0)
  })

  it('shows no age if no quantity is known', async () => {
    serve(external({ price_updated_at: null, external_price: null }), [])
    renderApp('/stocks', 'tenantAdmin')
    await screen.findAllByRole('link', { name: /^HEB-200/ })
    const [, first] = await screen.findAllByRole('row')
    expect(first).toHaveTextContent('Externe API')
    expect(first).not.toHaveTextContent(/Aktuell|zuletzt/)
  })

  it('requests the quantity when opened and on demand, and shows why an answer is not live', async () => {
    const reason = 'Der Server „erp.nordstahl.example“ hat nicht rechtzeitig geantwortet.'
    const requestCounts = serve(external(), [live(), live({ answered_by: 'last_known', as_of: minutesAgo(5), reason })])
    const { user } = renderApp('/stocks/1', 'tenantAdmin')
    const part = await section()
    expect(await part.findByText('12,5 m')).toBeVisible()
    expect(part.getByText('Live')).toBeVisible()
    expect(part.queryByRole('link')).not.toBeInTheDocument()
    await waitFor(() => expect(requestCounts.lists).toBe(2))
    await user.click(part.getByRole('button', { name: 'Erneut fragen' }))
    expect(await part.findByText('Letzter bekannter Stand')).toBeVisible()
    expect(part.getByText(reason)).toBeVisible()
    expect(part.getByText(/^Stand .* \(vor 5 Minuten\)$/)).toBeVisible()
    expect(part.getByRole('link', { name: 'Externe API öffnen' })).toHaveAttribute('href', '/external-apis')
    expect(requestCounts.live).toBe(2)
  })

  it('links to the API only for users who may configure it', async () => {
    const nothing = live({ answered_by: 'unknown', quantity: null, as_of: null, reason: 'Für diesen Mandanten ist keine externe API.' })
    serve(external(), [nothing])
    renderApp('/stocks/1', 'staff')
    const part = await section()
    expect(await part.findByText('Unbekannt')).toBeVisible()
    expect(part.getByText('Von der externen API ist noch keine Menge bekannt.')).toBeVisible()
    expect(part.queryByRole('link')).not.toBeInTheDocument()
  })
})

describe('the arrival of stocks at a destination', () => {
  const arrival = {
    warehouse: { id: 1, short_code: 'DU' },
    available_at: '2027-06-01T09:00:00Z',
    arrives_at: '2027-06-04T11:15:00Z',
    no_way: null,
  }
  const nowhere = { warehouse: null, available_at: null, arrives_at: null, no_way: { reason: 'no_stock' as const, node: null } }
  let dateInputs: StockDatesInput[]

  beforeEach(() => {
    dateInputs = []
    localStorage.clear()
    localStorage.setItem('table:stocks', JSON.stringify({ v: 1, hidden: [], shown: ['delivery_date'], order: [], widths: {} }))
    server.use(
      http.post('/api/admin/shipping/stock-dates', async ({ request }) => {
        const body = (await request.json()) as StockDatesInput
        dateInputs.push(body)
        return HttpResponse.json({
          data: body.stock_ids.map((id, index) => ({ index, earliest: id === 1 ? arrival : nowhere, errors: [] })),
        })
      }),
    )
  })

  it('is requested for a destination above the list, for all stocks of the page together', async () => {
    const { user, search } = renderApp('/stocks', 'tenantAdmin')
    const destination = await screen.findByLabelText('Lieferung nach')
    expect(dateInputs).toEqual([])
    await user.click(destination)
    await user.click(within(await screen.findByRole('listbox')).getByRole('option', { name: /Linz/ }))
    const link = await screen.findByRole('link', { name: /^ab Fr 04\.06\.2027 13:15 Uhr/ })
    expect(link).toHaveTextContent('ab Fr 04.06.2027')
    const linz = db.shippingNodes.find(({ name }) => /Linz/.test(name))?.id ?? 0
    expect(dateInputs).toContainEqual({ stock_ids: [1, 2], to_node_id: linz })
    expect(search()).toContain(`to=${linz}`)
    expect(link).toHaveAttribute('href', `/delivery-date?from=article_1_1_m_1&to=${linz}`)
    expect(await screen.findByText('nicht auf Lager')).toBeInTheDocument()
  })

  it('is shown at a stock as well, for the remembered destination', async () => {
    const linz = db.shippingNodes.find(({ name }) => /Linz/.test(name))?.id ?? 0
    const { user, search } = renderApp(`/stocks?to=${linz}`, 'tenantAdmin')
    await user.click((await screen.findAllByRole('link', { name: /^HEB-200/ }))[0] as HTMLElement)
    const form = within(await screen.findByRole('dialog'))
    await waitFor(() => expect(form.getByLabelText('Lieferung nach')).toHaveValue('Linz'))
    expect(await form.findByRole('link', { name: /^ab Fr 04\.06\.2027 13:15 Uhr/ })).toBeInTheDocument()
    await user.clear(form.getByLabelText('Lieferung nach'))
    await user.tab()
    await waitFor(() => expect(search()).not.toContain('to='))
    expect(form.queryByRole('link', { name: /^ab / })).not.toBeInTheDocument()
  })

  it('is hidden from users who may not see shipping nodes', async () => {
    const user = db.users.find(({ email }) => email === 'mitarbeit@nordstahl.example')
    if (user) user.permissions = user.permissions.filter(({ name }) => !name.startsWith('shipping_node'))
    renderApp('/stocks', 'staff')
    await screen.findAllByRole('link', { name: /^HEB-200/ })
    expect(await screen.findAllByRole('row')).toHaveLength(3)
    expect(screen.queryByRole('columnheader', { name: 'Liefertermin' })).not.toBeInTheDocument()
    expect(screen.queryByLabelText('Lieferung nach')).not.toBeInTheDocument()
  })
})
