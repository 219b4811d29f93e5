import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PriceImpact, ProcessingPrice, ProcessingPriceInput } from '~/api/schema'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'
import { processingPriceSchema, toForm } from './schema'

const PATH = '/api/admin/processing-prices'

const price = (id: number, article_type: ProcessingPrice['article_type'], amount: string): ProcessingPrice => ({
  id,
  tenant: { id: 1, short_code: 'NORD' },
  processing: { id: 1, name: 'Sägen gerade' },
  article_type,
  price: { price: amount, price_quantity: '1', unit: 'piece' },
  version: 1,
  created_at: '2026-11-20T08:00:00Z',
  updated_at: '2026-11-20T08:00:00Z',
})

let rows: ProcessingPrice[]
let sent: ProcessingPriceInput[]
let impact: PriceImpact

beforeEach(() => {
  sent = []
  impact = impactAnswer({ articles_touched: 0, below_internal_after: 3, sample_carts: [] })
  rows = [price(1, null, '4.5'), price(2, { id: 3, name: 'IPE' }, '9.8')]
  server.use(
    http.get(PATH, () => HttpResponse.json({ data: rows, meta: { current_page: 1, last_page: 1, per_page: 40, total: rows.length } })),
    http.post(`${PATH}/impact`, () => HttpResponse.json(impact)),
    http.post(PATH, async ({ request }) => {
      sent.push((await request.json()) as ProcessingPriceInput)
      const created = price(3, null, '5')
      rows = [...rows, created]
      return HttpResponse.json(created, { status: 201 })
    }),
  )
})

describe('the rules of the server', () => {
  const issues = (part: Partial<ReturnType<typeof toForm>['price']>) => {
    const form = toForm(rows[1] ?? null)
    return (
      processingPriceSchema.safeParse({ ...form, price: { ...form.price, ...part } }).error?.issues.map(({ path }) => path.join('.')) ?? []
    )
  }
  it.each([
    [{ price: '0' }, []],
    [{ price: '99999999.9999', price_quantity: '100' }, []],
    [{ price: '-0.0001' }, ['price.price']],
    [{ price: '100000000' }, ['price.price']],
    [{ price: '0.00001' }, ['price.price']],
    [{ price: '' }, ['price.price']],
    [{ price_quantity: '0' }, ['price.price_quantity']],
  ])('%j', (part, expected) => expect(issues(part)).toEqual(expected))
})

it('shows what a processing costs for articles of a type, and for all others', async () => {
  renderApp('/processing-prices', 'tenantAdmin')
  const row = (name: string) => screen.getByRole('link', { name }).closest('tr')
  expect(await screen.findByRole('link', { name: 'Sägen gerade · IPE' })).toBeInTheDocument()
  expect(row('Sägen gerade · IPE')).toHaveTextContent(/9,80/)
  expect(row('Sägen gerade')).toHaveTextContent(/Alle übrigen.*4,50/)
})

it('sends the price of one cut', async () => {
  const { user, path } = renderApp('/processing-prices/new', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(form.getByLabelText('Preis *')).toHaveAccessibleDescription('Pflichtfeld'))
  await user.type(form.getByLabelText('Anarbeitung *'), 'Sägen')
  await user.click((await screen.findAllByRole('option'))[0] as HTMLElement)
  await user.type(form.getByLabelText('Preis *'), '5')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(path()).toBe('/processing-prices'))
  expect(sent).toEqual([{ processing_id: 1, article_type_id: null, price: { price: '5', price_quantity: '1', unit: 'piece' } }])
})

it('does not exist if processings are disabled', async () => {
  db.flags.processings = false
  renderApp('/processing-prices', 'tenantAdmin')
  expect(await screen.findByRole('heading', { name: 'Path not found' })).toBeInTheDocument()
})

it('shows the impact of a price on lines with it before it is saved or deleted', async () => {
  impact = impactAnswer()
  server.use(http.get(`${PATH}/{id}`, () => HttpResponse.json(price(1, null, '4.5'))))
  const { user } = renderApp('/processing-prices/1', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  const field = await form.findByLabelText('Preis *')
  await user.clear(field)
  await user.type(field, '5')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  const dialog = within(await screen.findByRole('dialog', { name: '„Sägen gerade“ ändern?' }))
  expect(await dialog.findByText(/312 von 1\.240 Artikeln ändern sich/)).toBeInTheDocument()
})

it('asks before an implausible price is saved', async () => {
  const [general] = rows
  server.use(
    http.get(`${PATH}/{id}`, () => HttpResponse.json(general as ProcessingPrice)),
    http.put(`${PATH}/{id}`, async ({ request }) => {
      const input = (await request.json()) as ProcessingPriceInput
      sent.push(input)
      const why = ['45,00 € je Stück ist das 10-Fache des bisherigen Preises.']
      if (!input.release)
        return problem(409, 'release_needed', 'Mindestens ein Preis ist unplausibel.', { 'price.price': why } as never) as never
      return HttpResponse.json({ ...price(1, null, '45'), version: 2 })
    }),
  )
  const { user, path } = renderApp('/processing-prices/1', 'tenantAdmin')
  const form = within(await screen.findByRole('dialog'))
  const field = await form.findByLabelText('Preis *')
  await user.clear(field)
  await user.type(field, '45')
  await user.click(form.getByRole('button', { name: 'Speichern' }))
  await user.click(await screen.findByRole('button', { name: 'Zurück zur Eingabe' }))
  await waitFor(() => expect(field).toHaveAccessibleDescription(/das 10-Fache/))
  // the dialog fades out before the form is usable again
  await user.click(await form.findByRole('button', { name: 'Speichern' }))
  await user.click(await screen.findByRole('button', { name: 'Freigeben und speichern' }))
  await waitFor(() => expect(path()).toBe('/processing-prices'))
  expect(sent.map(({ release }) => release)).toEqual([undefined, undefined, true])
})
