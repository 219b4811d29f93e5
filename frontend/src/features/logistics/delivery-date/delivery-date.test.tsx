import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Itinerary, ItineraryInput, OrderDaysInput } from '~/api/schema'
import { changeLanguage } from '~/i18n/i18n'
import { http, problem } from '~/mocks/server'
import { itinerary, orderDays } from '~/test/fixtures/itinerary'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

const ASKED = '/delivery-date?from=warehouse_1&to=3&at=2027-05-26T11:42'

let itineraryInputs: ItineraryInput[] = []
let days: OrderDaysInput[] = []

function answer(rest: Partial<Itinerary> = {}) {
  server.use(
    http.post('/api/admin/shipping/itineraries', async ({ request }) => {
      itineraryInputs.push((await request.json()) as ItineraryInput)
      return HttpResponse.json({ ...itinerary, ...rest })
    }),
  )
}

beforeEach(() => {
  // texts leave out the current year, and say which orders are in the past
  vi.setSystemTime('2026-11-30T12:00:00Z')
  itineraryInputs = []
  days = []
  answer()
  server.use(
    http.post('/api/admin/shipping/order-days', async ({ request }) => {
      days.push((await request.json()) as OrderDaysInput)
      return HttpResponse.json(orderDays)
    }),
  )
})

afterEach(() => void vi.useRealTimers())

const main = () => within(screen.getByRole('main'))

describe('the request of an address', () => {
  it('is answered with the arrival, the effect of another order time, and each reason', async () => {
    renderApp(ASKED, 'tenantAdmin')
    expect(await screen.findByText('Ankunft in Depot Linz: Dienstag, 1. Juni 2027, 13:15')).toBeInTheDocument()
    expect(main().getByText('Ebenso bei jeder Bestellung vor Fr 11:30.')).toBeInTheDocument()
    expect(main().getByText('Vor Mi 11:30 bestellen, um 4 Tage zu gewinnen')).toBeInTheDocument()
    expect(main().getByText('Ankunft Fr 13:15 bei Bestellung vor Mi 11:30')).toBeInTheDocument()
    expect(main().getByText('Ankunft Fr 04.06., 13:15 bei Bestellung vor Di 01.06., 11:30')).toBeInTheDocument()
    const way = within(main().getByRole('table', { name: 'Weg der Ware' }))
    expect(way.getByRole('row', { name: /Die Bestellung kam 12 Minuten nach dem Bestellschluss um 11:30\./ })).toBeInTheDocument()
    expect(way.getAllByRole('row')).toHaveLength(18)
    expect(itineraryInputs.at(-1)).toEqual({ from: { warehouse_id: 1 }, to_node_id: 3, at: '2027-05-26T09:42:00.000Z' })
  })

  it('draws the stages over nights and closed days', async () => {
    const { container } = renderApp(ASKED, 'tenantAdmin')
    await screen.findByRole('table', { name: 'Weg der Ware' })
    expect(container.querySelectorAll('[data-tone=busy]')).toHaveLength(7)
    expect(container.querySelectorAll('[data-band=closed]')).toHaveLength(3)
    expect(container.querySelectorAll('[data-band=night]')).toHaveLength(6)
  })

  it('lists the next order days', async () => {
    renderApp(ASKED, 'tenantAdmin')
    const table = within(await screen.findByRole('table', { name: 'Die nächsten vierzehn Bestelltage' }))
    const rows = table.getAllByRole('row').map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent))
    expect(rows.slice(1)).toEqual([
      ['Mittwoch, 26. Mai', 'vor 11:30', 'Fr 13:15'],
      ['danach', 'Di 01.06., 13:15'],
      ['Donnerstag, 27. Mai', 'ganztägig', 'Di 13:15'],
      ['Freitag, 28. Mai', 'vor 11:30', 'Di 13:15'],
      ['danach', 'Fr 04.06., 13:15'],
      ['Samstag, 29. Mai', 'ganztägig', 'Fr 04.06., 13:15'],
    ])
    expect(days.at(-1)).toEqual({ from: { warehouse_id: 1 }, to_node_id: 3, at: '2027-05-25T22:00:00.000Z' })
  })

  it('is answered in English as well', async () => {
    await changeLanguage('en')
    renderApp(ASKED, 'tenantAdmin')
    expect(await screen.findByText('Arrival in Depot Linz: Tuesday, 1 June 2027, 13:15')).toBeInTheDocument()
    expect(main().getByText('Order before Wed 11:30 to gain 4 days')).toBeInTheDocument()
    await changeLanguage('de')
  })

  it('shows the day that an order in the past would have gained, up to its exact minute', async () => {
    answer({ earlier: { arrives_at: '2027-05-31T11:15:00Z', order_by: { at: '2020-05-26T09:30:00Z', is_inclusive: true } } })
    renderApp(ASKED, 'tenantAdmin')
    expect(await screen.findByText('Eine Bestellung bis Di 26.05.2020, 11:30 hätte einen Tag gewonnen')).toBeInTheDocument()
  })
})

it('requests the date by keyboard once the input is complete, and stores it in the address', async () => {
  const { user, search } = renderApp('/delivery-date', 'tenantAdmin')
  expect(await screen.findByText('Woher und wohin?')).toBeInTheDocument()
  const warehouse = screen.getByRole('combobox', { name: /^Lager/ })
  await user.type(warehouse, 'DU{Enter}')
  await waitFor(() => expect(warehouse).toHaveValue('DU · Lager Duisburg'))
  await user.type(screen.getByRole('combobox', { name: /^Nach Versandknoten/ }), 'Linz{Enter}')
  expect(await screen.findByText(/^Ankunft in Depot Linz:/)).toBeInTheDocument()
  expect(itineraryInputs).toEqual([{ from: { warehouse_id: 1 }, to_node_id: 3 }])
  await waitFor(() => expect(search()).toBe('?from=warehouse_1&to=3'))
  await user.click(screen.getByRole('radio', { name: 'letzte Bestellung für eine Ankunft' }))
  await user.type(screen.getByRole('textbox', { name: 'Ankunft spätestens am' }), '04.06.2027')
  await user.clear(screen.getByRole('textbox', { name: 'Uhrzeit' }))
  await user.type(screen.getByRole('textbox', { name: 'Uhrzeit' }), '1200')
  await user.tab()
  await waitFor(() =>
    expect(itineraryInputs.at(-1)).toEqual({ from: { warehouse_id: 1 }, to_node_id: 3, arrive_by: '2027-06-04T10:00:00.000Z' }),
  )
  await waitFor(() => expect(search()).toBe('?from=warehouse_1&to=3&by=2027-06-04T12:00'))
  // days around the latest possible order
  await waitFor(() => expect(days.at(-1)?.at).toBe('2027-05-25T22:00:00.000Z'))
})

it('requests the date of an alternative order, a minute before its cut-off', async () => {
  const { user, search } = renderApp(ASKED, 'tenantAdmin')
  await user.click(await screen.findByRole('button', { name: 'Damit rechnen: Bestellung vor Mi 11:30, Ankunft Fr 13:15' }))
  await waitFor(() => expect(itineraryInputs.at(-1)?.at).toBe('2027-05-26T09:29:00.000Z'))
  await waitFor(() => expect(search()).toContain('at=2027-05-26T11:29'))
  expect(screen.getByRole('textbox', { name: 'Uhrzeit' })).toHaveValue('11:29')
})

describe('a request without a delivery date', () => {
  it.each([
    ['not_connected', 'Es gibt keinen Liefertermin: Keine Strecken mit Abfahrten führen von Duisburg nach Depot Linz.'],
    ['no_departure', 'Es gibt keinen Liefertermin: In den nächsten vierzehn Wochen führt keine Abfahrt von Duisburg nach Depot Linz.'],
    ['inactive', 'Es gibt keinen Liefertermin: Der Versandknoten Depot Linz ist inaktiv.'],
    ['no_node', 'Es gibt keinen Liefertermin: Das Lager, aus dem die Ware kommt, gehört zu keinem Versandknoten.'],
    ['no_stock', 'Es gibt keinen Liefertermin: Kein Lager hat genug davon.'],
  ] as const)('shows the reason: %s', async (reason, text) => {
    const node = reason === 'inactive' ? { id: 3, name: 'Depot Linz' } : null
    answer({ arrives_at: null, order_by: null, earlier: null, later: null, readiness: null, stages: [], no_way: { reason, node } })
    renderApp(ASKED, 'tenantAdmin')
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
  })

  it('shows errors of the server at their fields', async () => {
    server.use(
      http.post('/api/admin/shipping/itineraries', () =>
        problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben.', { 'from.warehouse_id': ['Dieses Lager gibt es nicht.'] }),
      ),
    )
    renderApp(ASKED, 'tenantAdmin')
    await waitFor(() => expect(screen.getByRole('combobox', { name: /^Lager/ })).toHaveAccessibleDescription('Dieses Lager gibt es nicht.'))
    expect(screen.queryByText('Warum dieser Termin?')).not.toBeInTheDocument()
  })

  it('can be repeated after a failure', async () => {
    server.use(http.post('/api/admin/shipping/itineraries', () => problem(503, 'busy', 'Der Server rechnet gerade.')))
    const { user } = renderApp(ASKED, 'tenantAdmin')
    const retry = await screen.findByRole('button', { name: 'Erneut versuchen' })
    answer()
    await user.click(retry)
    expect(await screen.findByText(/^Ankunft in Depot Linz:/)).toBeInTheDocument()
  })
})

it('is not offered to users who may not see shipping nodes', async () => {
  renderApp('/delivery-date', 'nobody')
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Liefertermin' })).not.toBeInTheDocument())
})
