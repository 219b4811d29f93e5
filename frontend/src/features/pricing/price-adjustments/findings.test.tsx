import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { PriceAdjustmentFinding, PriceAdjustmentFindings } from '~/api/schema'
import { http, problem } from '~/mocks/server'
import { priceAdjustmentRow } from '~/test/fixtures/price-adjustment-row'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'

const DISCOUNT = { id: 7, name: 'Rabatt', position: 1 }
const FREIGHT = { id: 9, name: 'Fracht', position: 2 }
const line = {
  article: {
    id: 3,
    article_number: 'IPE-200',
    article_name: 'IPE 200',
    base_unit: 'm' as const,
    listing_unit: 'm' as const,
    price_unit: 't' as const,
  },
  quantity: '25',
  unit: 't' as const,
  warehouse_id: null,
  processings: [],
}
const cart: NonNullable<PriceAdjustmentFinding['cart']> = {
  sample_cart: null,
  buyer: { id: 2, short_code: 'SUED', company: 'Südstahl GmbH' },
  at: '2026-11-30T23:00:00Z',
  lines: [line],
  total: '1940',
  otherwise: '1970',
}

let answerFindings: () => HttpResponse<PriceAdjustmentFindings>

beforeEach(() => {
  const answer: PriceAdjustmentFindings = {
    data: [
      { kind: 'expired', adjustment: FREIGHT, others: [], message: '„Fracht“ ist seit dem 01.11.2026 abgelaufen.', cart: null },
      {
        kind: 'order_dependent',
        adjustment: DISCOUNT,
        others: [FREIGHT],
        message: 'Ob „Rabatt“ vor oder nach „Fracht“ angewendet wird, ändert den Preis.',
        cart,
      },
      {
        kind: 'never_in_sample_carts',
        adjustment: DISCOUNT,
        others: [],
        message: '„Rabatt“ gilt in keinem Beispielwarenkorb.',
        cart: { ...cart, sample_cart: { id: 4, name: 'Zwei Tonnen' }, buyer: null },
      },
    ],
    sample_carts: 12,
    made_carts: 1480,
    complete: true,
  }
  answerFindings = () => HttpResponse.json(answer)
  server.use(
    http.get('/api/admin/price-adjustments/findings', () => answerFindings()),
    http.get('/api/admin/price-adjustments', () =>
      HttpResponse.json({ data: [priceAdjustmentRow()], meta: { current_page: 1, last_page: 1, per_page: 200, total: 1 } }),
    ),
    http.get('/api/admin/price-adjustments/{id}', () => HttpResponse.json(priceAdjustmentRow({ id: 9, name: 'Fracht' }))),
  )
})

const open = async (name: string, user: Parameters<typeof renderApp>[1] = 'admin') => {
  const view = renderApp(user === 'admin' ? '/price-adjustments?tenantId=1' : '/price-adjustments', user)
  await view.user.click(await screen.findByRole('button', { name }))
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: 'Prüfung der Preisanpassungen' })) }
}

it('shows findings by kind, with a cart and its cost otherwise', async () => {
  const { dialog } = await open('Prüfung: 3 Hinweise')
  expect(dialog.getByText(/^Untersucht: 12 Beispielwarenkörbe und 1\.480 Warenkörbe/)).toBeInTheDocument()
  expect(dialog.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    'Sind abgelaufen (1)',
    'Hängen von der Reihenfolge ab (1)',
    'Gelten in keinem Beispielwarenkorb (1)',
  ])
  const order = within(dialog.getByRole('region', { name: /^Hängen von der Reihenfolge ab/ }))
  const item = order.getByRole('listitem')
  expect(item).toHaveTextContent('Ob „Rabatt“ vor oder nach „Fracht“ angewendet wird, ändert den Preis.')
  expect(item).toHaveTextContent(/Warenkorb: 25\st IPE-200 · Kunde Südstahl GmbH · Di 01\.12\.2026 00:00 Uhr/)
  expect(item).toHaveTextContent(/Er kostet 1\.940,00\s€, in der anderen Reihenfolge 1\.970,00\s€\./)
  expect(order.getAllByRole('link').map((link) => [link.textContent, decodeURIComponent(link.getAttribute('href') ?? '')])).toEqual([
    ['1. Rabatt', '/price-adjustments/7?tenantId=1'],
    ['2. Fracht', '/price-adjustments/9?tenantId=1'],
    ['Im Rechner zeigen', '/price-calculator?buyer=2&at=2026-12-01T00:00&line=3_25_t&tenantId=1'],
  ])
  const sample = within(dialog.getByRole('region', { name: /^Gelten in keinem Beispielwarenkorb/ }))
  expect(sample.getByText(/Beispielwarenkorb „Zwei Tonnen“/)).toBeInTheDocument()
  expect(sample.getByRole('link', { name: 'Im Rechner zeigen: Rabatt' })).toHaveAttribute('href', expect.stringContaining('cart=4'))
  // an adjustment that can never apply has no cart
  expect(within(dialog.getByRole('region', { name: /^Sind abgelaufen/ })).queryByText(/Er kostet/)).not.toBeInTheDocument()
})

it('links to an adjustment, and closes', async () => {
  const { dialog, user, path } = await open('Prüfung: 3 Hinweise')
  await user.click(dialog.getAllByRole('link', { name: '2. Fracht' })[0] as HTMLElement)
  await waitFor(() => expect(path()).toBe('/price-adjustments/9'))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Prüfung der Preisanpassungen' })).not.toBeInTheDocument())
})

it('reports that nothing was found, and that the check was incomplete', async () => {
  answerFindings = () => HttpResponse.json({ data: [], sample_carts: 0, made_carts: 80, complete: false })
  const { dialog } = await open('Prüfung: keine Hinweise')
  expect(dialog.getByText('Keine Hinweise')).toBeInTheDocument()
  expect(dialog.getByText(/Nicht alle Fälle ließen sich untersuchen/)).toBeInTheDocument()
})

it('shows why the check failed, and retries', async () => {
  answerFindings = () => problem(503, 'busy', 'Der Server rechnet gerade.')
  const { dialog, user } = await open('Prüfung nicht möglich')
  expect(await dialog.findByText(/^Der Server rechnet gerade\./)).toBeInTheDocument()
  answerFindings = () => HttpResponse.json({ data: [], sample_carts: 1, made_carts: 1, complete: true })
  await user.click(dialog.getByRole('button', { name: 'Erneut versuchen' }))
  expect(await dialog.findByText('Keine Hinweise')).toBeInTheDocument()
})

it('shows no link to the calculator to users who may not see prices', async () => {
  const { dialog } = await open('Prüfung: 3 Hinweise', 'staff')
  const links = dialog.getAllByRole('link').map(({ textContent }) => textContent)
  expect(links).toContain('1. Rabatt')
})

it('hides findings and sample carts from users who may not see prices', async () => {
  const me = db.users.find(({ email }) => email === 'admin@stalhof.example')
  if (me) me.permissions = me.permissions.filter(({ name }) => name !== 'listing.view')
  renderApp('/price-adjustments?tenantId=1', 'admin')
  expect(await screen.findByRole('link', { name: 'Energiezuschlag' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Prüfung/ })).toBeNull()
  const navigation = within(screen.getByRole('navigation', { name: 'Hauptnavigation' }))
  expect(navigation.getByRole('link', { name: 'Preisanpassungen' })).toBeInTheDocument()
  expect(navigation.queryByRole('link', { name: 'Beispielwarenkörbe' })).toBeNull()
})
