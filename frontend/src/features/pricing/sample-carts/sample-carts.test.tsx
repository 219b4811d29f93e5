import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SampleCart, SampleCartDifference, SampleCartInput } from '~/api/schema'
import { http, problem } from '~/mocks/server'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'
import { differenceOf } from './difference-of'

const PATH = '/api/admin/sample-carts'

const cart = (id: number, more: Partial<SampleCart> = {}): SampleCart => ({
  id,
  tenant: { id: 1, short_code: 'NORD' },
  name: `Korb ${id}`,
  buyer_id: null,
  buyer: null,
  at: null,
  lines: [
    {
      article_id: 2,
      article: { id: 2, article_number: 'HEB-220', article_name: 'HEB 220 S235JR', base_unit: 'm', listing_unit: 'piece', price_unit: 't' },
      quantity: '3',
      unit: null,
      warehouse_id: null,
      processings: [{ processing_id: 1, quantity: '4', price: { price: '3.5', price_quantity: '1', unit: 'piece' } }],
      errors: [],
    },
  ],
  expected_total: '4500',
  total: '4500',
  state: 'as_expected',
  version: 1,
  created_at: '2026-11-20T08:00:00Z',
  updated_at: '2026-11-20T08:00:00Z',
  ...more,
})

const DIFFERENCE: SampleCartDifference = {
  expected_total: '4500',
  total: '4523.1',
  difference: '23.1',
  since: '2026-11-20T08:00:00Z',
  changes: [
    {
      line: 0,
      kind: 'base_price',
      name: 'Verkauf 2027',
      reference: { price_list_id: 3, stock_id: null, processing_id: null, price_adjustment_id: null },
      before: '4300',
      after: '4330',
      errors: [],
    },
    {
      line: 0,
      kind: 'adjustment',
      name: 'Treuerabatt',
      reference: { price_list_id: null, stock_id: null, processing_id: null, price_adjustment_id: 5 },
      before: '-43',
      after: '-49.9',
      errors: [],
    },
    {
      line: null,
      kind: 'rounding',
      name: null,
      reference: { price_list_id: null, stock_id: null, processing_id: null, price_adjustment_id: null },
      before: null,
      after: '0',
      errors: [],
    },
  ],
}

let rows: SampleCart[]
let sent: unknown[]
const plain = (element: HTMLElement | null | undefined) => element?.textContent?.replace(/\s/g, ' ') ?? ''
const findRow = ({ url }: Request) => rows.find(({ id }) => String(id) === new URL(url).pathname.split('/')[4])

beforeEach(() => {
  sent = []
  rows = [
    cart(1),
    cart(2, {
      state: 'differs',
      total: '4523.1',
      buyer_id: 2,
      buyer: { id: 2, short_code: 'SUED', company: 'Südstahl GmbH' },
      at: '2027-01-02T07:00:00Z',
    }),
    cart(3, { state: 'refused', total: null }),
  ]
  server.use(
    http.get(PATH, () => HttpResponse.json({ data: rows, meta: { current_page: 1, last_page: 1, per_page: 40, total: rows.length } })),
    http.get(`${PATH}/{id}`, ({ request }) => {
      const row = findRow(request)
      return row ? HttpResponse.json(row) : problem(404, 'not_found', 'Nicht gefunden')
    }),
    http.get(`${PATH}/{id}/difference`, () => HttpResponse.json(DIFFERENCE)),
    http.post(`${PATH}/{id}/accept`, async ({ request }) => {
      sent.push(await request.json())
      const row = findRow(request) as SampleCart
      Object.assign(row, { expected_total: row.total, state: 'as_expected', version: row.version + 1 })
      return HttpResponse.json(row)
    }),
    http.patch(`${PATH}/{id}`, async ({ request }) => {
      const body = (await request.json()) as Partial<SampleCart>
      sent.push(body)
      return HttpResponse.json(Object.assign(findRow(request) as SampleCart, body, { version: 2 }))
    }),
  )
})

describe('the list', () => {
  it('describes in words if each costs the expected amount, and the difference', async () => {
    renderApp('/sample-carts', 'tenantAdmin')
    const rowText = async (name: string) => plain((await screen.findByRole('link', { name })).closest('tr'))
    expect(await rowText('Korb 1')).toContain('Wie erwartet4.500,00 €4.500,00 €')
    expect(await rowText('Korb 2')).toContain('Weicht ab4.500,00 €4.523,10 €+23,10 €Südstahl GmbH')
    expect(await rowText('Korb 3')).toContain('Ohne Preis4.500,00 €–')
  })

  it('offers to accept only differing carts, and sends the displayed total and version', async () => {
    const { user } = renderApp('/sample-carts', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Aktionen für Korb 1' }))
    expect(screen.queryByRole('menuitem', { name: 'Als erwartet übernehmen' })).toBeNull()
    await user.keyboard('{Escape}')
    await user.click(await screen.findByRole('button', { name: 'Aktionen für Korb 2' }))
    await user.click(screen.getByRole('menuitem', { name: 'Als erwartet übernehmen' }))
    await waitFor(() => expect(sent).toEqual([{ total: '4523.1', version: 1 }]))
    expect(await screen.findByText(/„Korb 2“: Der heutige Betrag gilt jetzt als erwartet/)).toBeInTheDocument()
    await waitFor(() => expect(screen.getAllByText('Wie erwartet')).toHaveLength(2))
  })

  it('opens a cart in the calculator with all its fields', async () => {
    const { user, path, search } = renderApp('/sample-carts', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Aktionen für Korb 2' }))
    await user.click(screen.getByRole('menuitem', { name: 'Im Preisrechner öffnen' }))
    await waitFor(() => expect(path()).toBe('/price-calculator'))
    const params = new URLSearchParams(search())
    expect(Object.fromEntries(params)).toEqual({ cart: '2', buyer: '2', at: '2027-01-02T08:00', line: '2_3_piece__1*4*3.5' })
  })
})

describe('a cart that differs', () => {
  it('is explained step by step, with links to changed records', async () => {
    renderApp('/sample-carts/2', 'tenantAdmin')
    const steps = within(await screen.findByRole('table', { name: 'Was sich geändert hat' })).getAllByRole('row')
    expect(steps.slice(1).map(plain)).toEqual([
      '1 · HEB-220Grundpreis: Verkauf 20274.300,00 €4.330,00 €+30,00 €',
      '1 · HEB-220Zuschlag oder Rabatt: Treuerabatt−43,00 €−49,90 €−6,90 €',
      'WarenkorbRundung (neu)–0,00 €0,00 €',
      'Unterschied zum erwarteten Betrag+23,10 €',
    ])
    expect(screen.getByRole('link', { name: 'Verkauf 2027' })).toHaveAttribute('href', '/priceLists/3')
  })

  it('changes its name and expected amount, and leaves its lines unchanged', async () => {
    const { user } = renderApp('/sample-carts/2', 'tenantAdmin')
    const expected = await screen.findByLabelText('Erwarteter Betrag')
    await user.clear(expected)
    await user.type(expected, '4523,1')
    await user.click(screen.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(sent).toEqual([{ name: 'Korb 2', expected_total: '4523.1', version: 1 }]))
  })

  it('is read-only for users who may not change it', async () => {
    const admin = db.users.find(({ email }) => email.startsWith('leitung'))
    if (admin) admin.permissions = admin.permissions.filter(({ name }) => name !== 'price_adjustment.update')
    renderApp('/sample-carts/2', 'tenantAdmin')
    expect(await screen.findByRole('table', { name: 'Was sich geändert hat' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Als erwartet übernehmen' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Speichern' })).toBeNull()
  })
})

describe('the calculator', () => {
  beforeEach(() => {
    server.use(
      http.post('/api/admin/quotes', () =>
        HttpResponse.json({
          data: [
            {
              index: 0,
              seller: { id: 1, short_code: 'NORD', company: 'Nordstahl Handel GmbH' },
              buyer: { id: 2, short_code: 'SUED', company: 'Südstahl GmbH' },
              at: '2026-11-25T07:00:00Z',
              lines: [],
              base: '4500',
              total: '4500',
              rounding: '0',
              weight: '0',
              margin: null,
              target_total: null,
              explanation: null,
            },
          ],
        }),
      ),
      http.post(PATH, async ({ request }) => {
        const body = (await request.json()) as SampleCartInput
        sent.push(body)
        rows.push(cart(9, { name: body.name }))
        return HttpResponse.json(rows.at(-1) as SampleCart, { status: 201 })
      }),
    )
  })

  it('saves a cart under a name, with the current total as the expected amount', async () => {
    const { user, search } = renderApp('/price-calculator?buyer=2&line=2_3_piece__1*4*3.5', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Als Beispielwarenkorb speichern …' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Als Beispielwarenkorb speichern' }))
    expect(dialog.getByLabelText('Erwarteter Betrag')).toHaveValue('4.500,00')
    await user.type(dialog.getByLabelText('Name *'), 'Träger für SUED')
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    expect(sent[0]).toEqual({
      name: 'Träger für SUED',
      expected_total: '4500',
      buyer_id: 2,
      at: null,
      lines: [
        {
          article_id: 2,
          quantity: '3',
          unit: 'piece',
          warehouse_id: null,
          processings: [{ processing_id: 1, quantity: '4', price: { price: '3.5', price_quantity: '1', unit: 'piece' } }],
        },
      ],
    })
    await waitFor(() => expect(search()).toContain('cart=9'))
    expect(await screen.findByRole('link', { name: 'Träger für SUED' })).toHaveAttribute('href', '/sample-carts/9')
  })
})

describe('the difference of two amounts', () => {
  it.each([
    ['4523.1', '4500', '23.1'],
    ['-49.9', '-43', '-6.9'],
    [null, '12.5', '-12.5'],
    ['12.5', null, '12.5'],
    ['0.1', '0.3', '-0.2'],
  ])('between %s and %s is %s', (after, before, difference) => expect(differenceOf(after, before)).toBe(difference))
})
