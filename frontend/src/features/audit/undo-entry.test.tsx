import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { expect, it } from 'vitest'
import type { AuditEntry } from '~/api/schema'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

const entry = (id: number, more: Partial<AuditEntry>): AuditEntry => ({
  id,
  at: '2026-11-23T09:30:00Z',
  action: 'changed',
  record: 'material',
  record_id: id,
  record_name: `S${id}`,
  tenant: null,
  user: { id: 1, name: 'Eva Lindner', platform: false },
  channel: 'session',
  through: null,
  address: null,
  changes: [{ field: 'density', of: null, unit: null, from: '7.85', to: '8' }],
  request_id: null,
  undoes: null,
  undone: false,
  undoable: true,
  ...more,
})

const row = async (name: string) => {
  const cell = await screen.findByText(name)
  return within(cell.closest('tr') as HTMLElement)
}

it("shows values in the format of the record's screen", async () => {
  const change = { of: null, unit: null, from: null }
  const data = [
    entry(20, { record: 'warehouse', changes: [{ ...change, field: 'preparation_duration_before', to: 90 }] }),
    entry(22, {
      record: 'stock',
      changes: [
        { ...change, field: 'lead_time', to: 1500 },
        { ...change, field: 'quantity', to: '77.5' },
        { ...change, field: 'quantity_unit', to: 'piece' },
        { ...change, field: 'external_price_unit', to: 'kg' },
        // 0 means that the stock has the full length of the article, not a length of its own
        { ...change, field: 'length', to: '0' },
        { ...change, field: 'width', from: '500', to: '0' },
        {
          ...change,
          field: 'external_bulk_prices',
          to: [{ from: '2.5', from_unit: 't', price: { price: '793', price_quantity: '1', unit: 't' } }],
        },
      ],
    }),
    entry(23, {
      record: 'user',
      changes: [
        { ...change, field: 'import_notices', to: 'never' },
        { ...change, field: 'language', to: 'en' },
      ],
    }),
    entry(24, {
      record: 'price_adjustment',
      changes: [
        { ...change, field: 'value', to: '12.5' },
        { ...change, field: 'position', from: 2, to: 1 },
        { ...change, field: 'name', to: 'Rabatt' },
        {
          ...change,
          field: 'apply_to',
          from: { kind: 'item', articles: [], materials: [{ id: 3, name: 'S235JR', platform: false }] },
          to: { kind: 'item_type', item_types: ['article', 'shipping'] },
        },
        {
          ...change,
          field: 'conditions',
          from: { type: 'cart_weight', op: 'greater_equals', value: '10', unit: 't' },
          to: {
            all: [
              { type: 'weekday', op: 'in', value: ['saturday'] },
              { type: 'material', op: 'in', value: [{ id: 3, name: 'S235JR', platform: false }] },
            ],
          },
        },
      ],
    }),
    entry(25, {
      record: 'surcharge_table',
      changes: [{ ...change, field: 'surcharge_value', to: [{ month: '2026-05', value: '1428.5' }] }],
    }),
    entry(21, { record: 'personal_access_token', changes: [{ ...change, field: 'abilities', to: ['listings:read'] }] }),
  ]
  server.use(
    http.get('*/api/admin/audit', () =>
      HttpResponse.json({ data, meta: { current_page: 1, last_page: 1, per_page: 40, total: data.length } }),
    ),
  )
  const { user, path } = renderApp('/audit')
  expect(await screen.findByText('1h30m')).toBeInTheDocument()
  const stock = await row('S22')
  const tier = 'Externe Staffelpreise: ab 2,5\u00a0t, 793,00\u00a0€\u00a0/\u00a0t'
  await user.click(await stock.findByRole('button', { name: '2 weitere Änderungen' }))
  expect(stock.queryByText(/Länge/)).toBeNull()
  expect(stock.getByText(/^Breite/).closest('li')).toHaveTextContent('Breite [mm]: von 500 auf leer')
  for (const expected of ['Lieferzeit: 1 Tag 1h', 'Menge: 77,5', 'Einheit: Stück', 'Externe Preiseinheit: kg', tier]) {
    expect(await stock.findByText((_, element) => element?.textContent === expected)).toBeInTheDocument()
  }
  for (const expected of ['Nie', 'Englisch']) expect(await (await row('S23')).findByText(expected)).toBeInTheDocument()
  const adjustment = await row('S24')
  await user.click(await adjustment.findByRole('button', { name: '1 weitere Änderung' }))
  expect(path()).toBe('/audit')
  expect(await adjustment.findByText((_, element) => element?.tagName === 'LI' && element.textContent === 'Wert: 12,5')).toBeInTheDocument()
  expect(adjustment.getByText('Umfang alle einer Art, Positionen Artikel, Fracht')).toBeInTheDocument()
  expect(adjustment.getByText(/Umfang bestimmte Artikel, Werkstoffe S235JR/)).toBeInTheDocument()
  expect(await adjustment.findByText('Wochentag ist Samstag und Werkstoff ist S235JR')).toBeInTheDocument()
  expect(adjustment.getByText(/Gewicht des Warenkorbs mindestens 10\st/)).toBeInTheDocument()
  expect(await (await row('S25')).findByText(/Monat Mai 2026, Wert 1\.428,5$/)).toBeInTheDocument()
  expect(await screen.findByText(/Preise lesen/)).toBeInTheDocument()
})

it('shows prices of lists in the words of their sheet, without technical fields', async () => {
  const change = { of: null, unit: null, from: null }
  const price = { price: '6.9', price_quantity: '100', unit: 'kg' }
  const data = [
    entry(30, {
      record: 'price_list_entry',
      record_name: 'S30',
      changes: [
        { ...change, field: 'price', from: '89', to: '90' },
        { ...change, field: 'bulk_prices', from: [], to: [{ from: '10', price }] },
        { ...change, field: 'held.suspicions', to: [{ field: 'price.price', message: { code: 'price_jump', params: [] } }] },
        { ...change, field: 'held.wanted', to: { price, tiers: [{ from: '25', price }] } },
        { ...change, field: 'held.mended', to: { price: { ...price, price: '69' }, tiers: [] } },
      ],
    }),
    entry(31, {
      record: 'held_price',
      record_name: 'S31',
      changes: [{ ...change, field: 'wanted.external', to: { price, tiers: [] } }],
    }),
  ]
  server.use(
    http.get('*/api/admin/audit', () =>
      HttpResponse.json({ data, meta: { current_page: 1, last_page: 1, per_page: 40, total: data.length } }),
    ),
  )
  renderApp('/audit')
  await screen.findByText('Vorschlag:')
  expect(await screen.findByText('Neu, extern:')).toBeInTheDocument()
  const one = '6,90\u00a0€\u00a0/\u00a0100\u00a0kg'
  expect((await row('S30')).getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Preis: von 89  auf 90',
    `Staffelpreise: hinzugefügt: ab 10, ${one}`,
    `Wartet auf Freigabe: ${one}, Staffelpreise ab 25, ${one}`,
    'Vorschlag: 69,00\u00a0€\u00a0/\u00a0100\u00a0kg',
  ])
})

it('undoes an entry, or everything saved with it, if that is possible', async () => {
  const data = [
    entry(10, { request_id: 'a', action: 'deleted' }),
    entry(11, { request_id: 'a' }),
    entry(12, { undone: true, undoable: false }),
    entry(13, { undoable: false, undoes: 12 }),
  ]
  const undoRequests: string[] = []
  server.use(
    http.get('*/api/admin/audit', () =>
      HttpResponse.json({ data, meta: { current_page: 1, last_page: 1, per_page: 40, total: data.length } }),
    ),
    http.post('*/api/admin/audit/:id/undo', ({ params }) => {
      undoRequests.push(String(params.id))
      return HttpResponse.json({ done: 1, refused: [], asks_for_articles: null, asks_for_deletions: null })
    }),
    http.post('*/api/admin/audit/undo', async ({ request }) => {
      undoRequests.push(((await request.json()) as { request_id: string }).request_id)
      return HttpResponse.json({ done: 2, refused: [], asks_for_articles: null, asks_for_deletions: null })
    }),
  )
  const { user } = renderApp('/audit')
  const deleted = await row('S10')
  await user.click(await deleted.findByRole('button', { name: 'Wiederherstellen: Werkstoff S10' }))
  await waitFor(() => expect(undoRequests).toEqual(['10']))
  // undoing all of them first asks for confirmation and says how many there are
  const undoAll = deleted.getByRole('button', { name: 'Alle 2 rückgängig machen: Werkstoff S10' })
  await waitFor(() => expect(undoAll).toBeEnabled())
  await user.click(undoAll)
  const question = within(await screen.findByRole('alertdialog', { name: '2 Änderungen rückgängig machen?' }))
  expect(undoRequests).toEqual(['10'])
  await user.click(question.getByRole('button', { name: 'Alle 2 rückgängig machen' }))
  await waitFor(() => expect(undoRequests).toEqual(['10', 'a']))
  // until it is closed, the dialog hides what is behind it
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())

  const second = await row('S11')
  expect(second.getAllByRole('button', { name: /rückgängig machen/i })).toHaveLength(1)
  for (const [name, message] of [
    ['S12', 'Rückgängig gemacht'],
    ['S13', 'macht eine Änderung rückgängig'],
  ] as const) {
    const other = await row(name)
    expect(other.getByText(message)).toBeInTheDocument()
    expect(other.queryByRole('button', { name: /rückgängig machen/i })).not.toBeInTheDocument()
  }
})

it('shows the impact of an undo on prices before it is confirmed', async () => {
  const data = [
    entry(30, {
      record: 'price_adjustment',
      record_name: 'Rabatt',
      changes: [{ field: 'value', of: null, unit: null, from: '3', to: '5' }],
    }),
  ]
  const undoRequests: string[] = []
  server.use(
    http.get('*/api/admin/audit', () => HttpResponse.json({ data, meta: { current_page: 1, last_page: 1, per_page: 40, total: 1 } })),
    http.post('*/api/admin/audit/:id/impact', ({ params }) => {
      undoRequests.push(`impact ${params.id}`)
      return HttpResponse.json(impactAnswer())
    }),
    http.post('*/api/admin/audit/:id/undo', ({ params }) => {
      undoRequests.push(`undo ${params.id}`)
      return HttpResponse.json({ done: 1, refused: [], asks_for_articles: null, asks_for_deletions: null })
    }),
  )
  const { user } = renderApp('/audit')
  const changed = await row('Rabatt')
  await user.click(await changed.findByRole('button', { name: /Rückgängig machen: .*Rabatt/ }))
  const question = within(await screen.findByRole('alertdialog', { name: '„Preisanpassung Rabatt“: Änderung rückgängig machen?' }))
  expect(await question.findByText(/312 von 1\.240 Artikeln ändern sich/)).toBeInTheDocument()
  expect(undoRequests).toEqual(['impact 30'])
  await user.click(question.getByRole('button', { name: 'Rückgängig machen' }))
  await waitFor(() => expect(undoRequests).toEqual(['impact 30', 'undo 30']))
})
