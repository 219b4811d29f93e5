import { screen, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { CartDatesInput } from '~/api/schema'
import { http } from '~/mocks/server'
import { pricedLine } from '~/test/fixtures/quote-lines'
import { serveQuotes } from '~/test/fixtures/quotes'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

const line = async (number: number) => within(await screen.findByRole('group', { name: `Position ${number}` }))

const earliest = {
  warehouse: { id: 3, short_code: 'DU' },
  available_at: '2027-06-01T09:00:00Z',
  arrives_at: '2027-06-04T11:15:00Z',
  no_way: null,
}
let dates: CartDatesInput[]

beforeEach(() => {
  dates = []
  serveQuotes((line, index) => pricedLine(index, line))
  server.use(
    http.post('/api/admin/shipping/cart-dates', async ({ request }) => {
      const body = (await request.json()) as CartDatesInput
      dates.push(body)
      return HttpResponse.json({ data: body.lines.map((_, index) => ({ index, earliest: index === 1 ? null : earliest, errors: [] })) })
    }),
  )
})

it('requests the dates of all lines together if a destination is chosen, and links to their reasons', async () => {
  renderApp('/price-calculator?at=2027-06-01T08:00&line=2_3_piece_1&line=1_5_m&to=3', 'tenantAdmin')
  const link = await (await line(1)).findByRole('link', { name: /^ab Fr 04\.06\.2027 13:15 Uhr/ })
  expect(link).toHaveAttribute('href', '/delivery-date?from=article_2_3_piece_1&to=3&at=2027-06-01T08%3A00')
  expect(within(screen.getByRole('group', { name: 'Position 2' })).queryByRole('link', { name: /^ab / })).not.toBeInTheDocument()
  const at = '2027-06-01T06:00:00.000Z'
  const none = { warehouse_id: null, warehouse_short_code: null }
  expect(dates).toEqual([
    {
      to_node_id: 3,
      seller_id: null,
      at,
      lines: [
        { ...none, article_id: 2, quantity: '3', unit: 'piece', warehouse_id: 1 },
        { ...none, article_id: 1, quantity: '5', unit: 'm' },
      ],
    },
  ])
})

it('requests them of the seller if the cart is a purchase', async () => {
  renderApp('/price-calculator?seller=2&line=2_3_piece&from=DU&to=3', 'tenantAdmin')
  const link = await (await line(1)).findByRole('link', { name: /^ab Fr/ })
  expect(link).toHaveAttribute('href', '/delivery-date?from=article_2_3_piece&seller=2&warehouse=DU&to=3')
  expect(dates[0]).toMatchObject({ seller_id: 2, lines: [{ warehouse_id: null, warehouse_short_code: 'DU' }] })
})

it('requests none without a destination', async () => {
  localStorage.clear()
  const { user, search } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
  await (await line(1)).findByText('2.203,94 €')
  expect(dates).toEqual([])
  await user.click(screen.getByLabelText('Lieferung nach'))
  await user.click(within(await screen.findByRole('listbox')).getByRole('option', { name: 'Linz' }))
  expect(await (await line(1)).findByRole('link', { name: /^ab Fr/ })).toBeInTheDocument()
  expect(search()).toContain('to=3')
})
