import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Stock } from '~/api/schema'
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
  tenant: { id: 1, short_code: 'NORD' },
  article: { id: 1, article_number: 'HEB-200', article_name: 'HEB 200', base_unit: 'm', listing_unit: 'm', price_unit: 't' },
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

describe('what the form sends', () => {
  const form = { ...toForm(null), article_id: 1, warehouse_id: 2 }
  const parse = (part: object) => stockSchema.safeParse({ ...form, ...part })
  const paths = (part: object) => parse(part).error?.issues.map(({ path }) => path.join('.')) ?? []

  it('wants a quantity only where that is what is available', () => {
    expect(paths({ quantity: '' })).toEqual(['quantity'])
    expect(paths({ quantity: '0', quantity_unit: 'm' })).toEqual([])
    expect(parse({ availability_type: 'always', quantity: '', quantity_unit: 'm' }).data).toMatchObject({
      quantity: null,
      quantity_unit: null,
    })
  })

  it('reads a lead time as people say it, and none at all', () => {
    expect(parse({ quantity: '1', lead_time: '1:20' }).data?.lead_time).toBe(80)
    expect(parse({ quantity: '1', lead_time: ' ' }).data?.lead_time).toBeNull()
    expect(paths({ quantity: '1', lead_time: '1:60' })).toEqual(['lead_time'])
    expect(parse({ quantity: '1', lead_time: '2' }).data?.lead_time).toBe(2880)
    expect(parse({ quantity: '1', lead_time: '2-3 Wochen' }).data?.lead_time).toBe(15 * 1440)
  })

  it('takes no remnant without a length', () => expect(paths({ quantity: '1', length: '0' })).toEqual(['length']))
})

it('shows what there is with its unit, what it costs, and how old either is', async () => {
  renderApp('/stocks', 'tenantAdmin')
  const [first, second] = (await screen.findAllByRole('row')).slice(1).map((one) => one.textContent?.replace(/\s/g, ' '))
  expect(first).toMatch(/HEB-200.*DU.*36,3.*m.*Aktuell · vor 3 Tagen.*1h20m.*85,00 € \/ 100 kg.*Veraltet · /)
  expect(second).toContain('Älter · ')
  expect(screen.getByRole('button', { name: 'Aktionen für HEB-200, DU, 2500 mm' })).toBeInTheDocument()
})

it('reads a quantity as it is written, with its unit, and shows how it was understood', async () => {
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
  expect(quantity).toHaveValue('1234')
  await enter('3 Stück')
  expect(form.getByLabelText('Einheit: Menge')).toHaveValue('piece')
  await enter('drei')
  await user.tab()
  expect(await form.findByText('Kein gültiger Betrag')).toBeVisible()
})

it('asks for a quantity in any unit of the article, and says what it is in others', async () => {
  const { user, path } = renderApp('/stocks/new', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  const pickFirst = async () => user.click(within(await screen.findByRole('listbox')).getAllByRole('option')[0] as HTMLElement)
  await user.type(form.getByLabelText(/^Artikel/), 'HEB')
  await pickFirst()
  await user.click(form.getByLabelText(/^Lager/))
  await pickFirst()
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
