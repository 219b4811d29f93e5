import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, expect, it } from 'vitest'
import type { PriceOverTimeInput, PriceOverTimeStep, Quote } from '~/api/schema'
import { i18n, loadTexts } from '~/i18n/i18n'
import { http, problem } from '~/mocks/server'
import { renderApp } from '~/test/render'
import { server } from '~/test/server'

const DAY = 86_400_000
const NOW = Date.now()
const day = (days: number) => new Date(NOW + days * DAY).toISOString()

const step = (from: number, until: number, total: string | null, rest: Partial<PriceOverTimeStep> = {}): PriceOverTimeStep => ({
  from: day(from),
  until: day(until),
  past: until <= 0,
  total,
  unit_price: total === null ? null : { price: total, price_quantity: '1', unit: 't' },
  list: total === null ? null : { id: 3, name: 'Verkauf 2026' },
  stock_id: null,
  overlaps: [],
  error: null,
  ...rest,
})

const NONE = { field: null, code: 'no_price' as const, message: 'Für diesen Artikel gibt es keinen Preis' }
const STEPS = [
  step(-60, -20, null, { error: NONE }),
  step(-20, 0, '1700'),
  step(0, 30, '1720.5'),
  step(30, 60, '1800', { overlaps: [{ id: 9, name: 'Sommerpreise' }] }),
]

const explained = (at: string): Quote => ({
  index: 0,
  seller: { id: 1, short_code: 'NORD', company: 'Nordstahl Handel GmbH' },
  buyer: null,
  at,
  lines: [
    {
      index: 0,
      article: {
        id: 2,
        article_number: 'HEB-200',
        article_name: 'HEB 200 S235JR',
        base_unit: 'm',
        listing_unit: 'm',
        price_unit: 't',
      },
      items: [
        {
          type: 'article',
          processing_id: null,
          base: '1700',
          total: '1700',
          exact: '1700',
          weight: '2000',
          explanation: { processing_price: null, steps: [], rounding: '0' },
        },
      ],
      errors: [],
      warnings: [],
      internal: null,
      margin: null,
      target_total: null,
      target_price: null,
      explanation: {
        lists: [{ id: 3, name: 'Verkauf 2026', applies: 'global', valid_from: '2026-01-01T00:00:00Z', outcome: 'won' }],
        stocks: [],
        price: {
          list_id: 3,
          stock_id: null,
          price: { price: '850', price_quantity: '1', unit: 't' },
          quantity_from: null,
          quantity_unit: 'm',
          conversions: [],
          amount: '1700',
          exact: '1700',
        },
        internal_price: null,
      },
    },
  ],
  base: '1700',
  total: '1700',
  rounding: '0',
  weight: '2000',
  margin: null,
  target_total: null,
  explanation: { lists: [], adjustments: [] },
})

let requests: PriceOverTimeInput[]

beforeEach(() => {
  requests = []
  server.use(
    http.get('/api/admin/price-lists/{id}', () => HttpResponse.json({ id: 3, name: 'Verkauf 2026' } as never)),
    http.post('/api/admin/quotes/over-time', async ({ request }) => {
      const body = (await request.json()) as PriceOverTimeInput
      requests.push(body)
      const at = body.explain_at
      const isKnown = at && Date.parse(at) >= NOW - 20 * DAY
      return HttpResponse.json({
        seller: { id: 1, short_code: 'NORD', company: 'Nordstahl Handel GmbH' },
        buyer: null,
        article: {
          id: 2,
          article_number: 'HEB-200',
          article_name: 'HEB 200 S235JR',
          base_unit: 'm',
          listing_unit: 'm',
          price_unit: 't',
        },
        quantity: '2',
        unit: 't',
        steps: at ? [] : STEPS,
        cut: false,
        explained: isKnown ? explained(at) : null,
      })
    }),
  )
})

const PATH = '/price-calculator/over-time'
const ASKED = `${PATH}?line=2_2_t`

it('shows the steps as a drawing and as a table, with gaps and overlaps', async () => {
  const { container } = renderApp(ASKED, 'tenantAdmin')
  const table = await screen.findByRole('table', { name: 'Preise von Tag zu Tag' })
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent?.replaceAll('\u00a0', ' '))
  expect(rows).toHaveLength(4)
  expect(rows[0]).toContain('Für diesen Artikel gibt es keinen Preis')
  expect(rows[1]).toContain('1.700,00 €')
  expect(rows[1]).toContain('Verkauf 2026')
  expect(rows[2]).toContain('jetzt')
  expect(rows[2]).toContain('1.720,50 €')
  expect(rows[3]).toContain('Sommerpreise')
  expect(screen.getByText('In einem Zeitraum ab heute gelten mehrere Listen zugleich; die vorrangige zählt.')).toBeVisible()
  // gaps in the past cannot be fixed
  expect(screen.queryByText(/ohne Preis/)).not.toBeInTheDocument()
  const drawn = (selector: string) => container.querySelectorAll(selector).length
  expect([drawn('[data-kind=gap]'), drawn('[data-kind=overlap]')]).toEqual([1, 1])
  expect([drawn('[data-past=true]'), drawn('[data-past=false]')]).toEqual([1, 1])
  const { from, until, ...question } = requests[0] as PriceOverTimeInput
  expect(question).toEqual({ buyer_id: null, article_id: 2, quantity: '2', unit: 't', warehouse_id: null })
  expect(Date.parse(until) - Date.parse(from)).toBeGreaterThan(700 * DAY)
})

it('explains a day that is chosen by keyboard, or the beginning of a step', async () => {
  const { user, search } = renderApp(ASKED, 'tenantAdmin')
  const slider = await screen.findByRole('slider', { name: 'Preis im Zeitverlauf, Tag wählen' })
  expect(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/1\.720,50\s€/))
  slider.focus()
  await user.keyboard('{Home}')
  expect(slider).toHaveAttribute('aria-valuetext', expect.stringContaining('kein Preis'))
  await user.keyboard('{PageDown}')
  await user.keyboard('{ArrowRight}')
  expect(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/1\.700,00\s€/))
  await user.keyboard('{Enter}')
  const why = await screen.findByRole('region', { name: /^Warum dieser Preis: / })
  expect(await within(why).findByText(/Es gilt der Preis von 850,00 € \/ t/)).toBeVisible()
  expect(why).toHaveFocus()
  const last = requests.at(-1)
  expect(last).toMatchObject({ from: STEPS[1]?.from, until: STEPS[1]?.until })
  expect(search()).toContain(`moment=${last?.explain_at}`)

  // a time that the history no longer covers
  await user.click(screen.getAllByRole('button', { name: /^Warum dieser Preis ab/ })[0] as HTMLElement)
  expect(await screen.findByText(/So weit reicht der Verlauf nicht zurück/)).toBeVisible()
  expect(requests.at(-1)?.explain_at).toBe(STEPS[0]?.from)
})

it('explains the day that is clicked', async () => {
  const { search } = renderApp(ASKED, 'tenantAdmin')
  const slider = await screen.findByRole('slider')
  // without layout the chart has no width, so any click to the right selects the last day
  fireEvent.click(slider, { clientX: 10_000 })
  await screen.findByRole('region', { name: /^Warum dieser Preis: / })
  expect(slider).toHaveAttribute('aria-valuetext', expect.stringContaining('mehrere Listen gelten'))
  const moment = Date.parse(new URLSearchParams(search()).get('moment') ?? '')
  expect(moment).toBeLessThan(Date.parse(day(60)))
  expect(moment).toBeGreaterThan(Date.parse(day(58)))
})

it('shows errors of the request, and asks for input if there is none', async () => {
  server.use(
    http.post('/api/admin/quotes/over-time', () =>
      problem(422, 'invalid', 'Bitte prüfen Sie Ihre Angaben', { buyer_id: ['Unbekannter Wert'] }),
    ),
  )
  renderApp(`${ASKED}&buyer=99`, 'tenantAdmin')
  expect(await screen.findByText('Diesen Kunden gibt es nicht.')).toBeVisible()
})

it('asks for an article if there is none', async () => {
  renderApp(PATH, 'tenantAdmin')
  expect(await screen.findByText('Welchen Preis möchten Sie sehen?')).toBeVisible()
  expect(requests).toEqual([])
})

it('is shown in English, and for a shorter period on request', async () => {
  await i18n.changeLanguage('en')
  await loadTexts('priceCalculator', 'priceOverTime', 'whyPrice')
  const { user, search } = renderApp(ASKED, 'tenantAdmin')
  expect(await screen.findByRole('heading', { level: 1, name: 'Price over time' })).toBeVisible()
  await screen.findByRole('table', { name: 'Prices from day to day' })
  await user.selectOptions(screen.getByLabelText('Period'), '3 months back and ahead')
  await waitFor(() => expect(requests).toHaveLength(2))
  const [long, short] = requests.map(({ from, until }) => Date.parse(until) - Date.parse(from))
  expect(short).toBeLessThan((long ?? 0) / 3)
  expect(search()).toContain('span=3')
  await i18n.changeLanguage('de')
})
