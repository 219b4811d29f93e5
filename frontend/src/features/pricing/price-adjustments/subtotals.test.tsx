import { screen, waitFor } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PriceAdjustment, Quote, QuoteItem, QuoteStep, QuotesInput, SampleCart } from '~/api/schema'
import { i18n, loadTexts } from '~/i18n/i18n'
import { http, problem } from '~/mocks/server'
import { priceAdjustmentRow } from '~/test/fixtures/price-adjustment-row'
import { renderApp } from '~/test/render'
import { db, requests, server } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'
import { subtotalsOf } from './subtotals'

const step = (adjustment_id: number, exact: string, outcome: QuoteStep['outcome'] = 'applied'): QuoteStep => ({
  adjustment_id,
  name: `Regel ${adjustment_id}`,
  operation: 'surcharge',
  value: '1',
  calculation_type: 'absolute',
  surcharge: null,
  ignored_further: false,
  outcome,
  conditions: null,
  basis: null,
  basis_unit: null,
  amount: exact,
  exact,
  total: '0',
})

const item = (exact: string, steps: QuoteStep[]): QuoteItem => ({
  type: 'article',
  processing_id: null,
  base: '0',
  total: exact,
  exact,
  weight: null,
  explanation: { processing_price: null, steps, rounding: '0' },
})

const quoteOf = (items: QuoteItem[][], more: Partial<Quote> = {}): Quote => ({
  index: 0,
  seller: { id: 1, short_code: 'NORD', company: 'Nordstahl Handel GmbH' },
  buyer: null,
  at: '2026-11-25T07:00:00Z',
  lines: items.map((own, index) => ({
    index,
    article: null,
    items: own,
    errors: own.length === 0 ? [{ field: null, code: 'no_price', message: 'Kein Preis.' }] : [],
    internal: null,
    margin: null,
    target_total: null,
    target_price: null,
    explanation: null,
    warnings: [],
  })),
  base: '200',
  total: '208.01',
  rounding: '0',
  weight: '0',
  margin: null,
  target_total: null,
  explanation: { lists: [], adjustments: [{ id: 4, name: 'Regel 4', reason: 'inactive' }] },
  ...more,
})

const TWO_LINES = [
  [item('103.333333333333333', [step(1, '3.333333333333333'), step(2, '0', 'not_this_item'), step(3, '0', 'not_this_item')])],
  [item('104.671666666666667', [step(1, '6.666666666666667'), step(2, '-1.995', 'floored'), step(3, '0', 'conditions')])],
]

const chain = (...ids: number[]) => ids.map((id) => ({ id, version: 1 }))

describe('subtotals', () => {
  it('are added up exactly over all items, in the order of the chain', () => {
    const subtotals = subtotalsOf(quoteOf(TWO_LINES), chain(1, 2, 3, 4))
    expect([...subtotals]).toEqual([
      [1, { total: '210', amount: '10', reason: null }],
      [2, { total: '208.005', amount: '-1.995', reason: null }],
      [3, { total: '208.005', amount: '0', reason: 'conditions' }],
      [4, { total: '208.005', amount: '0', reason: 'inactive' }],
    ])
  })

  it('are zero if no line has a price', () => {
    expect([...subtotalsOf(quoteOf([[]]), chain(1))]).toEqual([[1, { total: '0', amount: '0', reason: 'not_this_item' }]])
  })
})

const cart: SampleCart = {
  id: 9,
  tenant: { id: 1, short_code: 'NORD' },
  name: 'Trägerpaket',
  buyer_id: 2,
  buyer: { id: 2, short_code: 'SUED', company: 'Südstahl GmbH' },
  at: null,
  lines: [
    {
      article_id: 2,
      article: { id: 2, article_number: 'HEB-220', article_name: 'HEB 220', base_unit: 'm', listing_unit: 'piece', price_unit: 't' },
      quantity: '3',
      unit: null,
      warehouse_id: null,
      processings: [],
      errors: [],
    },
  ],
  expected_total: '4500',
  total: '4500',
  state: 'as_expected',
  version: 1,
  created_at: '2026-11-20T08:00:00Z',
  updated_at: '2026-11-20T08:00:00Z',
}

describe('the chain with a sample cart', () => {
  let rows: PriceAdjustment[]
  let inputs: QuotesInput[]
  let answer: () => Quote

  beforeEach(() => {
    rows = [1, 2, 3].map((id) => priceAdjustmentRow({ id, position: id, name: `Regel ${id}` }))
    inputs = []
    answer = () => quoteOf(TWO_LINES)
    const page = <T,>(data: T[]) => ({ data, meta: { current_page: 1, last_page: 1, per_page: 200, total: data.length } })
    server.use(
      http.get('/api/admin/price-adjustments/findings', () =>
        HttpResponse.json({ data: [], sample_carts: 0, made_carts: 0, complete: true }),
      ),
      http.get('/api/admin/price-adjustments', () => HttpResponse.json(page(rows))),
      http.put('/api/admin/price-adjustments/order', async ({ request }) => {
        const { ids } = (await request.json()) as { ids: number[] }
        rows = ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
        return new HttpResponse(null, { status: 204 })
      }),
      http.get('/api/admin/sample-carts', () => HttpResponse.json(page([cart]))),
      http.get('/api/admin/sample-carts/{id}', () => HttpResponse.json(cart)),
      http.post('/api/admin/quotes', async ({ request }) => {
        inputs.push((await request.json()) as QuotesInput)
        return HttpResponse.json({ data: [answer()] })
      }),
    )
  })

  const at = '/price-adjustments?tenantId=1'
  const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })

  it('shows the cost of the chosen cart after each adjustment, or why it does not change', async () => {
    const { user, search } = renderApp(at)
    await row('Regel 1')
    expect(screen.queryByRole('columnheader', { name: 'Zwischensumme' })).not.toBeInTheDocument()
    await user.click(await screen.findByRole('combobox', { name: 'Zwischensumme für' }))
    await user.click(await screen.findByRole('option', { name: 'Trägerpaket' }))
    expect(search()).toContain('cart=9')
    await waitFor(async () => expect(await row('Regel 1')).toHaveTextContent(/210,00\s€\+10,00\s€/))
    expect(await row('Regel 2')).toHaveTextContent(/208,01\s€−2,00\s€/)
    expect(await row('Regel 3')).toHaveTextContent(/208,01\s€Die Bedingungen sind nicht erfüllt\./)
    expect(screen.getByText(/Ohne Anpassungen 200,00\s€, mit allen 208,01\s€\./)).toBeInTheDocument()
    // as the sample cart is saved, in the article's unit
    const lines = [{ article_id: 2, quantity: '3', unit: 'piece', warehouse_id: null, processings: [] }]
    expect(inputs[0]).toEqual({ explain: true, carts: [{ at: null, buyer_id: 2, as_customer: false, lines }] })
    await user.clear(screen.getByRole('combobox', { name: 'Zwischensumme für' }))
    await waitFor(() => expect(search()).not.toContain('cart='))
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Zwischensumme' })).not.toBeInTheDocument())
  })

  it('shows none for an unsaved order, and requests them after the save', async () => {
    stretchTimeouts(1000, 4_000)
    const { user } = renderApp(`${at}&cart=9`)
    await waitFor(async () => expect(await row('Regel 1')).toHaveTextContent(/210,00/))
    answer = () => quoteOf([[item('99', [step(3, '-2'), step(1, '1')])]])
    await user.click(screen.getByRole('button', { name: 'Aktionen für Regel 3' }))
    await user.click(await screen.findByRole('menuitem', { name: /^Ganz nach oben/ }))
    expect(await screen.findByText('Die Summen werden neu berechnet, sobald die Reihenfolge gespeichert ist.')).toBeInTheDocument()
    for (const name of ['Regel 1', 'Regel 2', 'Regel 3']) expect(await row(name)).not.toHaveTextContent(/210,00|208,01/)
    await waitFor(async () => expect(await row('Regel 3')).toHaveTextContent(/98,00\s€−2,00\s€/))
    expect(await row('Regel 1')).toHaveTextContent(/99,00\s€\+1,00\s€/)
    expect(inputs.length).toBeGreaterThan(1)
    expect(screen.queryByText(/sobald die Reihenfolge gespeichert ist/)).not.toBeInTheDocument()
  })

  it('counts only lines that have a price, with a note in English as well', async () => {
    await loadTexts('priceAdjustments')
    answer = () => quoteOf([...TWO_LINES, []])
    renderApp(`${at}&cart=9`)
    expect(await screen.findByText(/mit allen 208,01\s€\. Eine Position hat keinen Preis/)).toBeInTheDocument()
    await i18n.changeLanguage('en')
    expect(await screen.findByText(/with all of them €?208\.01.*One line has no price and does not count\./)).toBeInTheDocument()
  })

  it('shows the reason if there are none', async () => {
    server.use(http.get('/api/admin/sample-carts/{id}', () => problem(404, 'not_found', 'Den Warenkorb gibt es nicht.')))
    renderApp(`${at}&cart=9`)
    expect(await screen.findByText('Den Warenkorb gibt es nicht.')).toBeInTheDocument()
  })

  it('offers none if the chain is sorted', async () => {
    renderApp(`${at}&cart=9&sort=name`)
    await row('Regel 1')
    expect(screen.queryByRole('combobox', { name: 'Zwischensumme für' })).not.toBeInTheDocument()
    expect(requests.filter((one) => one.includes('/quotes'))).toEqual([])
  })

  it('offers none to users who may not see the prices of carts', async () => {
    db.flags.new_price_menu = false
    renderApp(`${at}&cart=9`)
    await row('Regel 1')
    await waitFor(() => expect(screen.queryByRole('columnheader', { name: 'Zwischensumme' })).not.toBeInTheDocument())
    expect(screen.queryByRole('combobox', { name: 'Zwischensumme für' })).not.toBeInTheDocument()
  })
})
