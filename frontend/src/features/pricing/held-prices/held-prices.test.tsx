import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { BulkHeldPriceChange, BulkOutcome, HeldPrice, Money, Unit } from '~/api/schema'
import { http } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { renderApp } from '~/test/render'
import { deferredAnswer, server } from '~/test/server'
import { priceChanges } from './price-changes'

const per100 = (price: string): Money => ({ price, price_quantity: '100', unit: 'kg' })
const prices = (external: Money | null, tiers: HeldPrice['wanted']['external_bulk_prices'] = []): HeldPrice['wanted'] => ({
  internal_price: null,
  internal_bulk_prices: [],
  external_price: external,
  external_bulk_prices: tiers,
})
const heldPrice = (part: Partial<HeldPrice> = {}): HeldPrice => ({
  id: 1,
  stock_id: 11,
  stock: 'HEB-200, DU',
  current: prices(per100('85')),
  wanted: prices(per100('850')),
  mended: prices({ price: '850', price_quantity: '1', unit: 't' }),
  reasons: [{ field: 'external_price.price', code: 'invalid', message: '850,00 € je 100 kg ist das 10-Fache des bisherigen Preises.' }],
  import_id: 7,
  line: 12,
  since: '2026-11-20T08:00:00Z',
  by: { id: 3, name: 'Eva Lindner' },
  others: [],
  ...part,
})

let rows: HeldPrice[]
let sent: { selection: { ids: number[] | null; count: number }; change: unknown }[]
let refused: BulkOutcome['refused']
/** Decisions whose impact was requested. */
let impacts: BulkHeldPriceChange[]

beforeEach(() => {
  const other = { id: 9, by: { id: 4, name: 'Ben Ott' }, wanted: prices(per100('790')), since: '2026-11-20T09:00:00Z' }
  rows = [heldPrice({ others: [other] }), heldPrice({ id: 2, stock: 'IPE-100, DU', mended: null, import_id: null, line: null })]
  sent = []
  refused = []
  impacts = []
  server.use(
    http.post('/api/admin/held-prices/bulk-change/impact', async ({ request }) => {
      impacts.push((await request.json()) as BulkHeldPriceChange)
      return HttpResponse.json(impactAnswer())
    }),
    http.get('/api/admin/held-prices', () =>
      HttpResponse.json({ data: rows, meta: { current_page: 1, last_page: 1, per_page: 40, total: rows.length } }),
    ),
    http.post('/api/admin/held-prices/bulk-change', async ({ request }) => {
      const body = (await request.json()) as (typeof sent)[number]
      sent.push(body)
      rows = rows.filter(({ id }) => !body.selection.ids?.includes(id) || refused.some((one) => one.id === id))
      return HttpResponse.json({ done: body.selection.count - refused.length, refused })
    }),
  )
})

it('lists prices that differ, and quantity breaks by their quantities and units', () => {
  const tier = (quantity_from: string, price: string, quantity_unit: Unit = 't') => ({ quantity_from, quantity_unit, price: per100(price) })
  const changes = priceChanges(
    prices(per100('85'), [tier('2', '84'), tier('10', '80')]),
    prices(per100('85'), [tier('10', '79'), tier('2', '84'), tier('50', '70'), tier('10', '81', 'm')]),
  )
  expect(changes).toEqual([
    { side: 'external', from: { quantity: '10', unit: 't' }, before: per100('80'), after: per100('79') },
    { side: 'external', from: { quantity: '50', unit: 't' }, before: null, after: per100('70') },
    { side: 'external', from: { quantity: '10', unit: 'm' }, before: null, after: per100('81') },
  ])
})

const textOf = (element: HTMLElement | undefined) => element?.textContent?.replace(/\s+/g, ' ')

it('shows current, requested and suggested price with reasons, and releases one after confirmation', async () => {
  const { user } = renderApp('/prices/held', 'tenantAdmin')
  const row = (await screen.findAllByRole('row'))[1]
  expect(textOf(row)).toMatch(
    /HEB-200, DU.*Eva Lindner.*Bisher: 85,00 € \/ 100 kg Neu: 850,00 € \/ 100 kg.*wartet von Ben Ott:\s?Extern: 790,00 € \/ 100 kg.*850,00 € \/ t.*10-Fache/,
  )
  expect(screen.getByRole('link', { name: 'Import 7, Zeile 12' })).toHaveAttribute('href', '/imports/7')
  await user.click(screen.getByRole('button', { name: 'Aktionen für HEB-200, DU' }))
  await user.click(screen.getByRole('menuitem', { name: 'Vorschlag freigeben' }))
  const question = await screen.findByRole('alertdialog')
  expect(textOf(question)).toContain('850,00 € / t')
  expect(textOf(question)).toMatch(/Außerdem wartet von Ben Ott:\s?Extern: 790,00 € \/ 100 kg/)
  expect(await within(question).findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
  expect(sent).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Vorschlag freigeben' }))
  expect(await screen.findByText('Der Vorschlag für „HEB-200, DU“ wurde freigegeben')).toBeInTheDocument()
  expect(sent).toEqual([{ selection: { ids: [1], count: 1 }, change: { field: 'decision', value: 'release_mended' } }])
  expect(impacts).toEqual(sent)
  await waitFor(() => expect(screen.queryByText('HEB-200, DU')).not.toBeInTheDocument())
})

it('does not move the focus of users who continue before the list is reloaded', async () => {
  const { user } = renderApp('/prices/held', 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für HEB-200, DU' }))
  const { opened, open } = deferredAnswer()
  server.use(
    http.get('/api/admin/held-prices', async () => {
      await opened
      return HttpResponse.json({ data: rows, meta: { current_page: 1, last_page: 1, per_page: 40, total: rows.length } })
    }),
  )
  await user.click(screen.getByRole('menuitem', { name: 'Vorschlag freigeben' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Vorschlag freigeben' }))
  await screen.findByText('Der Vorschlag für „HEB-200, DU“ wurde freigegeben')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: 'Suchen und springen' })
  expect(field).toHaveFocus()
  open()
  await waitFor(() => expect(screen.queryByText('HEB-200, DU')).not.toBeInTheDocument())
  // longer than the list takes to render
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(field).toHaveFocus()
})

it('offers no suggestion if there is none', async () => {
  const { user } = renderApp('/prices/held', 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für IPE-100, DU' }))
  expect(screen.getByRole('menuitem', { name: /Vorschlag freigeben.*Es gibt keinen Vorschlag/ })).toHaveAttribute('aria-disabled', 'true')
})

it('requests no impact of a refusal', async () => {
  const { user } = renderApp('/prices/held', 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Aktionen für IPE-100, DU' }))
  await user.click(screen.getByRole('menuitem', { name: 'Ablehnen' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Ablehnen' }))
  await screen.findByText('Die Preise von „IPE-100, DU“ wurden abgelehnt')
  expect(impacts).toEqual([])
})

it('decides about many together, and reports those that failed', async () => {
  refused = [{ id: 2, name: 'IPE-100, DU', messages: ['Es gibt keinen Vorschlag.'] }]
  const { user } = renderApp('/prices/held', 'tenantAdmin')
  await user.click(await screen.findByRole('checkbox', { name: 'Alle Einträge der Seite auswählen' }))
  const change = await screen.findByRole('button', { name: 'Ändern …' })
  expect(screen.queryByRole('button', { name: 'Löschen …' })).not.toBeInTheDocument()
  await user.click(change)
  const dialog = await screen.findByRole('dialog')
  await user.selectOptions(await within(dialog).findByLabelText('Entscheidung *'), 'Vorschlag freigeben')
  await user.click(within(dialog).getByRole('button', { name: '2 Einträge ändern' }))
  const impact = within(await screen.findByRole('dialog', { name: 'Wartende Preise freigeben?' }))
  expect(await impact.findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
  expect(sent).toEqual([])
  await user.click(impact.getByRole('button', { name: 'Freigeben' }))
  const outcome = await screen.findByRole('dialog', { name: '1 Eintrag bleibt unverändert' })
  expect(sent.at(-1)?.change).toEqual({ field: 'decision', value: 'release_mended' })
  expect(impacts).toEqual(sent)
  // prices under review have no page of their own
  expect(within(outcome).queryByRole('link')).not.toBeInTheDocument()
  expect(within(outcome).getByText('IPE-100, DU')).toBeInTheDocument()
})

it('shows a friendly message if no price is under review', async () => {
  rows = []
  renderApp('/prices/held', 'tenantAdmin')
  expect(await screen.findByText('Keine Preise warten auf Freigabe')).toBeInTheDocument()
})

it('corrects a price in place, and refuses the one under review', async () => {
  const saved: unknown[] = []
  const money = { price: '89', price_quantity: '100', unit: 'kg' as const }
  const now = { id: 11, version: 4, external_price: per100('85'), internal_price: null, held: { id: 1, others: [] } }
  server.use(
    http.get('/api/admin/prices/{id}', () => HttpResponse.json(now as never)),
    http.put('/api/admin/prices/bulk', async ({ request }) => {
      saved.push(await request.json())
      return HttpResponse.json({ data: [{ ...now, external_price: money }] as never })
    }),
  )
  const { user } = renderApp('/prices/held', 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Korrigieren: HEB-200, DU' }))
  const dialog = within(await screen.findByRole('dialog'))
  // the field starts with the suggested price
  expect(await dialog.findByLabelText(/^Externer Preis/)).toHaveValue('850,00')
  await user.clear(dialog.getByLabelText(/^Externer Preis/))
  await user.type(dialog.getByLabelText(/^Externer Preis/), '89')
  await user.clear(dialog.getByLabelText(/^Preis je/))
  await user.type(dialog.getByLabelText(/^Preis je/), '100 kg')
  await user.click(dialog.getByRole('button', { name: 'Speichern' }))
  expect(await screen.findByText('Die Preise von „HEB-200, DU“ wurden korrigiert')).toBeInTheDocument()
  expect(saved).toEqual([
    {
      prices: [
        {
          id: 11,
          version: 4,
          external_price: money,
          internal_price: null,
          external_bulk_prices: [],
          internal_bulk_prices: [],
        },
      ],
    },
  ])
  expect(sent).toEqual([{ selection: { ids: [1], count: 1 }, change: { field: 'decision', value: 'refuse' } }])
})

it('releases and refuses at the row', async () => {
  const { user } = renderApp('/prices/held', 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Ablehnen: IPE-100, DU' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Ablehnen' }))
  await waitFor(() => expect(sent).toEqual([{ selection: { ids: [2], count: 1 }, change: { field: 'decision', value: 'refuse' } }]))
})
