import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type {
  Article,
  AvailabilityInput,
  AvailabilityResult,
  Matching,
  QuoteCondition,
  QuoteLine,
  QuoteStep,
  QuotesInput,
  QuoteTarget,
} from '~/api/schema'
import { i18n, loadTexts } from '~/i18n/i18n'
import { http, problem } from '~/mocks/server'
import { DEFAULTS } from '~/session/config'
import { pricedLine, type RequestedLine, refusedLine } from '~/test/fixtures/quote-lines'
import { serveQuotes } from '~/test/fixtures/quotes'
import { renderApp } from '~/test/render'
import { db, deferredAnswer, requests, server } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'

let inputs: QuotesInput[]
let answer: (line: RequestedLine, index: number) => QuoteLine

beforeEach(() => {
  inputs = []
  answer = (line, index) => pricedLine(index, line)
  serveQuotes((line, index) => answer(line, index), inputs)
  server.use(
    // price lists appear by id if their name cannot be loaded
    http.get('/api/admin/price-lists/{id}', () => problem(404, 'not_found', 'Nicht gefunden')),
    http.post('/api/admin/articles/{id}/quantities', () =>
      HttpResponse.json({
        equivalents: [{ amount: '36.3', unit: 'm' }],
        relations: [{ of: 'piece', amount: '12.1', unit: 'm' }],
        sheet: null,
      }),
    ),
  )
})

const line = async (number: number) => within(await screen.findByRole('group', { name: `Position ${number}` }))
const plain = (element: HTMLElement | null) => element?.textContent?.replace(/\s/g, ' ') ?? ''
const linesAsked = (body: QuotesInput | undefined) =>
  body?.carts[0]?.lines.map(({ article_id, quantity, unit }) => [article_id, quantity, unit])

describe('availability', () => {
  const available = (part: Partial<AvailabilityResult>): AvailabilityResult => ({
    index: 0,
    available: 'yes',
    reason: 'enough',
    quantity: '36.3',
    quantity_unit: 'm',
    warehouse: { id: 1, short_code: 'DU' },
    lead_time: null,
    earliest_at: null,
    source: 'quantity',
    as_of: new Date(Date.now() - 3 * 86_400_000).toISOString(),
    answered_by: 'stock',
    errors: [],
    ...part,
  })

  it('is shown at each line after the quote, which does not wait for it', async () => {
    const { opened, open } = deferredAnswer()
    const bodies: AvailabilityInput[] = []
    server.use(
      http.post('/api/v1/availability', async ({ request }) => {
        bodies.push((await request.json()) as AvailabilityInput)
        await opened
        return HttpResponse.json({
          data: [available({}), available({ index: 1, available: 'unknown', reason: 'not_asked', quantity: null })],
        })
      }),
    )
    renderApp('/price-calculator?line=2_3_piece&line=3_2_piece', 'tenantAdmin')
    const first = await line(1)
    await first.findByText('2.203,94 €')
    await waitFor(() => expect(bodies[0]?.items).toHaveLength(2))
    expect(bodies[0]?.items[0]).toMatchObject({ article_number: 'HEB-200', quantity: '3', unit: 'piece', warehouse_short_code: null })
    expect(first.queryByText(/Verfügbar/)).not.toBeInTheDocument()
    open()
    expect(await first.findByText('Verfügbar · Bestand 36,3 m · Lager DU · Stand vor 3 Tagen')).toBeInTheDocument()
    expect(await (await line(2)).findByText(/^Verfügbarkeit unbekannt/)).toBeInTheDocument()
  })

  it('shows the source of the answer', async () => {
    const minute = new Date(Date.now() - 60_000).toISOString()
    const answers = [
      available({ source: 'external-api', as_of: minute, answered_by: 'live' }),
      available({ index: 1, source: 'external-api', as_of: minute, answered_by: 'last_known' }),
      available({ index: 2, available: 'unknown', reason: 'not_asked', quantity: null, answered_by: 'unknown' }),
    ]
    server.use(http.post('/api/v1/availability', () => HttpResponse.json({ data: answers })))
    renderApp('/price-calculator?line=2_3_piece&line=3_2_piece&line=2_1_piece', 'tenantAdmin')
    expect(await (await line(1)).findByText('Verfügbar · Bestand 36,3 m · Lager DU · live gefragt, Stand vor 1 Minute')).toBeVisible()
    expect(await (await line(2)).findByText(/letzter bekannter Stand vor 1 Minute$/)).toBeVisible()
    expect(await (await line(3)).findByText('Verfügbarkeit unbekannt · Lager DU · die externe API nennt keine Menge')).toBeVisible()
  })

  it('does not affect the quote if it cannot be loaded', async () => {
    server.use(http.post('/api/v1/availability', () => problem(503, 'busy', 'Nicht erreichbar')))
    renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    await (await line(1)).findByText('2.203,94 €')
    await waitFor(() => expect(requests).toContain('POST /api/v1/availability'))
    expect(screen.queryByText('Nicht erreichbar')).not.toBeInTheDocument()
  })
})

describe('a target price', () => {
  const step = (from: string, percent: string, exact_percent: string, result: string) => ({ from, percent, exact_percent, result })
  const target = (exact: string): QuoteTarget => ({
    exact,
    from_paid: step('2203.94', '-9.25', '-9.252497001397275', '2000.08'),
    from_base: step('2191.81', '-8.75', '-8.751435000000001', '2000.03'),
    from_internal: null,
  })

  it('is answered with the required discount, rounded and exact, and the result of the rounded one', async () => {
    answer = (own, index) => ({
      ...pricedLine(index, own),
      target_total: own.target_total ? target(own.target_total) : null,
      target_price: own.target_price ? target('1999.5') : null,
    })
    const { user } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    await (await line(1)).findByText('2.203,94 €')
    await user.click(screen.getByRole('button', { name: 'Zielpreis …' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rückrechnung vom Zielpreis' }))
    const before = inputs.length
    await user.type(dialog.getByRole('textbox', { name: /^Zielpreis netto/ }), '2000')
    const ways = within(await dialog.findByRole('table', { name: /^So erreichen Sie 2\.000,00\s€$/ }))
    expect(ways.getAllByRole('row').slice(1).map(plain)).toEqual([
      'Auf den aktuellen Preis (2.203,94 €)−9,25 %2.000,08 €−9,252497001397275 %',
      'Auf die Grundpreise, statt aller Zuschläge und Rabatte (2.191,81 €)−8,75 %2.000,03 €−8,751435000000001 %',
    ])
    expect(inputs.slice(before).at(-1)?.carts[0]?.lines[0]).toMatchObject({ target_total: '2000' })

    await user.selectOptions(dialog.getByRole('combobox', { name: /^Bezugsgröße/ }), 'Artikelpreis je t')
    expect(await dialog.findByRole('table', { name: /^So erreichen Sie 1\.999,50\s€$/ })).toBeInTheDocument()
    const price = { price: '2000', price_quantity: '1', unit: 't' }
    expect(inputs.at(-1)?.carts[0]?.lines[0]).toMatchObject({ target_price: price })

    await user.selectOptions(dialog.getByRole('combobox', { name: /^Wofür/ }), 'Ganzer Warenkorb')
    await waitFor(() => expect(inputs.at(-1)?.carts[0]).toMatchObject({ target_total: '2000' }))
    expect(dialog.queryByRole('combobox', { name: /^Bezugsgröße/ })).not.toBeInTheDocument()
  })

  it('is not requested before it is a number above zero', async () => {
    const { user } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    await (await line(1)).findByText('2.203,94 €')
    await user.click(screen.getByRole('button', { name: 'Zielpreis …' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Rückrechnung vom Zielpreis' }))
    const before = inputs.length
    await user.type(dialog.getByRole('textbox', { name: /^Zielpreis netto/ }), '0')
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(inputs).toHaveLength(before)
    expect(dialog.queryByRole('table')).not.toBeInTheDocument()
  })
})

describe('a cart', () => {
  it('is calculated on request, and again after each complete change', async () => {
    const { user, search } = renderApp('/price-calculator', 'tenantAdmin')
    const first = await line(1)
    await user.type(first.getByLabelText(/^Artikel/), 'HP-60')
    await user.click(await screen.findByRole('option', { name: /^HP-60x40x4/ }))
    await waitFor(() => expect(first.getByRole('combobox', { name: /^Einheit/ })).toHaveValue('piece'))
    await user.type(first.getByRole('textbox', { name: /^Menge/ }), '3')
    await waitFor(() => expect(search()).toMatch(/^\?line=\d+_3_piece$/))
    expect(inputs).toEqual([])

    await user.keyboard('{Control>}{Enter}{/Control}')
    expect(await first.findByText('2.203,94 €')).toBeInTheDocument()
    expect(inputs).toHaveLength(1)
    expect(inputs[0]).toMatchObject({ explain: true, carts: [{ at: null, buyer_id: null }] })
    expect(first.getByText('985,00 € / t')).toBeInTheDocument()
    // 2203.9394355 / 3
    expect(first.getByText('734,6465 € / Stück')).toBeInTheDocument()
    expect(first.getByText(/Einstand 2\.002,67.€/)).toHaveTextContent('Marge 201,27 € (9,13 %)')
    expect(screen.getAllByRole('status').map(plain)).toContain('2.203,94 €')

    await user.type(screen.getByLabelText('Kunde'), 'SUED')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(inputs.at(-1)?.carts[0]?.buyer_id).toBe(2))
    // an incomplete line is not requested, and known prices stay
    const before = inputs.length
    await user.click(screen.getByRole('button', { name: 'Position hinzufügen' }))
    const second = await line(2)
    expect(second.getByLabelText(/^Artikel/)).toHaveFocus()
    await user.type(second.getByRole('textbox', { name: /^Menge/ }), '5')
    await waitFor(() => expect(search()).toContain('line=_5'))
    expect(inputs).toHaveLength(before)
    expect(first.getByText('2.203,94 €')).toBeInTheDocument()
  })

  it('reports an unknown buyer once', async () => {
    server.use(
      http.post('/api/admin/quotes', () =>
        problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', { 'carts.0.buyer_id': ['Unbekannter Wert'] } as never),
      ),
    )
    renderApp('/price-calculator?buyer=99&line=2_3_piece', 'tenantAdmin')
    expect(await screen.findByText('Diesen Kunden gibt es nicht.')).toBeInTheDocument()
    expect(screen.getByLabelText('Kunde')).toHaveAccessibleDescription('Diesen Kunden gibt es nicht.')
    expect(screen.queryByText('Unbekannter Wert')).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('is stored in the address: a reload calculates it again', async () => {
    renderApp('/price-calculator?buyer=2&at=2027-01-02T08:00&line=2_3_piece', 'tenantAdmin')
    expect(await (await line(1)).findByText('2.203,94 €')).toBeInTheDocument()
    await waitFor(() => expect(screen.getByLabelText('Kunde')).toHaveValue('Südrohr AG · SUED'))
    expect(screen.getByRole('textbox', { name: /^Zeitpunkt/ })).toHaveValue('02.01.2027')
    expect(inputs[0]?.carts[0]).toMatchObject({ buyer_id: 2, at: '2027-01-02T07:00:00.000Z' })
    expect(linesAsked(inputs[0])).toEqual([[2, '3', 'piece']])
  })

  it('can be requested as a buyer of another company, with its warehouses and without fields of the seller', async () => {
    answer = (own, index) =>
      own.warehouse_short_code === 'HH' ? refusedLine(index, 'warehouse_short_code', 'Dieses Lager gibt es nicht.') : pricedLine(index, own)
    const { user, search } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    const first = await line(1)
    await first.findByText('2.203,94 €')
    await user.click(screen.getByRole('radio', { name: 'Ich kaufe bei …' }))
    expect(screen.queryByLabelText('Kunde')).not.toBeInTheDocument()
    const before = inputs.length
    await user.type(screen.getByLabelText(/^Verkäufer/), 'Süd')
    await user.click(await screen.findByRole('option', { name: /^Südrohr/ }))
    await waitFor(() => expect(inputs.length).toBeGreaterThan(before))
    expect(inputs.at(-1)?.carts[0]).toMatchObject({ seller_id: 2, lines: [{ article_id: 2, warehouse_short_code: null }] })
    expect(inputs.at(-1)?.carts[0]).not.toHaveProperty('buyer_id')
    await waitFor(() => expect(search()).toContain('seller=2'))
    await user.type(first.getByLabelText('Lager (Kurzzeichen)'), 'HH')
    expect(await first.findByText('Dieses Lager gibt es nicht.')).toBeInTheDocument()
    expect(first.getByLabelText('Lager (Kurzzeichen)')).toHaveAccessibleDescription('Dieses Lager gibt es nicht.')
    for (const name of [/Ansicht für den Kunden/, /Als Beispielwarenkorb speichern/, /Preis im Zeitverlauf/]) {
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
    }
  })

  it('warns at a line whose surcharge has no value of the month', async () => {
    const message = 'Für 2027-01 fehlt der Wert in der Zuschlagstabelle von „Legierung“. Der Preis ist ohne ihn gerechnet.'
    answer = (own, index) => ({
      ...pricedLine(index, own),
      warnings: index === 1 ? [{ field: null, code: 'no_surcharge_value', message }] : [],
    })
    renderApp('/price-calculator?line=2_3_piece&line=3_3_piece', 'tenantAdmin')
    expect(await (await line(2)).findByText(message)).toHaveAttribute('role', 'status')
    expect((await line(1)).queryByText(message)).not.toBeInTheDocument()
  })

  it('shows errors at their lines and fields, and calculates the other lines', async () => {
    answer = (own, index) => {
      if (own.article_id === 3) return refusedLine(index, null, 'Für den Artikel gibt es keinen Preis.')
      if (own.article_id === 4) return refusedLine(index, 'unit', 'In dieser Einheit wird der Artikel nicht gezählt.')
      return pricedLine(index, own)
    }
    const { user } = renderApp('/price-calculator?line=2__piece&line=3_1_t&line=4_1_t&line=5_3_piece', 'tenantAdmin')
    expect(await (await line(4)).findByText('2.203,94 €')).toBeInTheDocument()
    expect(await (await line(2)).findByRole('alert')).toHaveTextContent('Für den Artikel gibt es keinen Preis.')
    expect((await line(3)).getByText('In dieser Einheit wird der Artikel nicht gezählt.')).toBeInTheDocument()
    expect(screen.getByText(/^2 Positionen haben keinen Preis und fehlen in der Summe/)).toBeInTheDocument()

    // an error about one article is not shown for the next one
    const count = inputs.length
    await user.click(screen.getByRole('button', { name: 'Berechnen' }))
    await waitFor(() => expect(inputs.length).toBeGreaterThan(count))
    expect(await (await line(1)).findByText('Pflichtfeld')).toBeInTheDocument()
    expect((await line(1)).getByRole('textbox', { name: /^Menge/ })).toHaveFocus()
    await user.click(screen.getByRole('button', { name: 'Position 3 entfernen' }))
    await waitFor(() =>
      expect(linesAsked(inputs.at(-1))).toEqual([
        [3, '1', 't'],
        [5, '3', 'piece'],
      ]),
    )
    await waitFor(() => expect(screen.queryByText('In dieser Einheit wird der Artikel nicht gezählt.')).toBeNull())
  })

  it('is filled by keyboard: Enter adds a line, Alt+Delete removes one, and that can be undone', async () => {
    stretchTimeouts(4000, 60_000)
    const { user, search } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    await user.click((await line(1)).getByRole('textbox', { name: /^Menge/ }))
    await user.keyboard('{Enter}')
    await waitFor(async () => expect((await line(2)).getByLabelText(/^Artikel/)).toHaveFocus())
    await user.keyboard('{Alt>}{Delete}{/Alt}')
    await waitFor(() => expect(screen.queryByRole('group', { name: 'Position 2' })).toBeNull())
    await waitFor(async () => expect((await line(1)).getByLabelText(/^Artikel/)).toHaveFocus())
    await user.keyboard('{Alt>}{Delete}{/Alt}')
    await waitFor(() => expect(search()).toBe(''))
    await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
    await waitFor(() => expect(search()).toBe('?line=2_3_piece'))
  })

  it('finds an article by its external number of the seller', async () => {
    const article = db.articles[0] as Article
    Object.assign(db.matchings[0] as Matching, {
      article: { id: article.id, article_number: article.article_number },
      external_article_number: '0004711',
    })
    const { user, search } = renderApp('/price-calculator', 'tenantAdmin')
    await user.type((await line(1)).getByLabelText(/^Artikel/), '0004711{Enter}')
    await waitFor(() => expect(search()).toMatch(new RegExp(`^\\?line=${article.id}_`)))
    const articleName = `${article.article_number} · ${article.article_name}`
    await waitFor(async () => expect((await line(1)).getByLabelText(/^Artikel/)).toHaveValue(articleName))
  })

  it('is restored on return by the navigation, and cleared by a button that can be undone', async () => {
    stretchTimeouts(4000, 60_000)
    const { user, router, search } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    const goHome = async () => {
      await router.navigate('/home')
      await waitFor(() => expect(screen.queryByRole('heading', { name: 'Preisrechner' })).toBeNull())
    }
    expect(await (await line(1)).findByText('2.203,94 €')).toBeInTheDocument()
    await router.navigate('/price-calculator')
    await waitFor(() => expect(search()).toBe('?line=2_3_piece'))
    await goHome()
    await router.navigate('/price-calculator')
    expect(await (await line(1)).findByText('2.203,94 €')).toBeInTheDocument()
    await waitFor(() => expect(search()).toBe('?line=2_3_piece'))
    await user.click(screen.getByRole('button', { name: 'Warenkorb leeren' }))
    await waitFor(() => expect(search()).toBe(''))
    await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
    await waitFor(() => expect(search()).toBe('?line=2_3_piece'))
    // a link to the explanation of a single price is not stored as the last cart
    await goHome()
    await router.navigate('/price-calculator?line=5_1_t&why=')
    await (await line(1)).findByText('2.203,94 €')
    await goHome()
    await router.navigate('/price-calculator')
    await waitFor(() => expect(search()).toBe('?line=2_3_piece'))
  })

  it('accepts processings of the articles, with a price', async () => {
    const { user } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    const first = await line(1)
    await user.click(first.getByRole('button', { name: 'Anarbeitung hinzufügen' }))
    await user.selectOptions(
      await first.findByRole('combobox', { name: /^Anarbeitung/ }),
      await first.findByRole('option', { name: 'Sägen gerade' }),
    )
    await user.clear(first.getByLabelText(/^Anzahl/))
    await user.type(first.getByLabelText(/^Anzahl/), '4')
    const price = first.getByLabelText(/^Preis je Anarbeitung/)
    expect(price).toHaveAccessibleDescription('Leer: Ihr hinterlegter Preis.')
    await waitFor(() => expect(inputs.at(-1)?.carts[0]?.lines[0]?.processings).toMatchObject([{ quantity: '4', price: null }]))
    await user.type(price, '3,5')
    await waitFor(() => expect(inputs.at(-1)?.carts[0]?.lines[0]?.processings).toMatchObject([{ quantity: '4', price: { price: '3.5' } }]))
  })

  it('shows no cost and margin if the server does not send them', async () => {
    answer = (own, index) => pricedLine(index, own, 'buyer')
    renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    expect(await (await line(1)).findByText('2.203,94 €')).toBeInTheDocument()
    expect(screen.queryByText(/Einstand|Marge/)).toBeNull()
  })

  it('requires the permission to see prices', async () => {
    renderApp('/price-calculator', 'nobody')
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Preisrechner' })).toBeNull())
  })
})

describe('the explanation of a price', () => {
  afterEach(() => void i18n.changeLanguage('de'))

  async function opened(language: 'de' | 'en' = 'de') {
    await loadTexts('priceCalculator', 'whyPrice')
    if (language === 'en') await i18n.changeLanguage('en')
    const { user } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: language === 'de' ? /^Warum dieser Preis/ : /^Why this price/ }))
    const why = within(await screen.findByRole('region', { name: language === 'de' ? /^Warum/ : /^Why/ }))
    const rows = (await why.findAllByRole('row')).slice(1)
    return { user, why, rows: rows.map(plain) }
  }

  it('is shown step by step', async () => {
    const { rows } = await opened()
    expect(rows.map((row) => row.replace(/ ?Quelle: .*/, ''))).toEqual([
      'PreisEs gilt der Preis von 985,00 € / t.',
      'Umrechnung3 Stück sind 36,3 m, denn 1 Stück entspricht 12,1 m.',
      'Umrechnung36,3 m sind 2.225,19 kg, denn 1 m entspricht 61,3 kg.',
      'Umrechnung2.225,19 kg sind 2,22519 t.',
      'Grundpreis2,22519 t zu 985,00 € / t ergeben 2.191,81215 €, gerundet 2.191,81 €.2.191,81 €2.191,81 €',
      'SchrottzuschlagZuschlag von 35,00 € je t auf 2.225,19 kg. Spätere Prozentsätze rechnen diesen Betrag nicht mit.+77,88 €2.269,69 €',
      'TreuerabattRabatt von 3 % auf den Preis bis hierher, 2.191,81 €.−65,75 €2.203,94 €',
      'Preis der PositionSo viel kostet die Position, einmal kaufmännisch gerundet aus 2.203,9394355 €.2.203,94 €',
    ])
  })

  it('is shown in English as well', async () => {
    const { rows } = await opened('en')
    expect(rows.at(1)).toBe('Conversion3 Stück are 36.3 m, because 1 Stück equals 12.1 m.')
    expect(rows.at(-2)).toBe('TreuerabattDiscount of 3 % on the price so far, 2,191.81 €.−65.75 €2,203.94 €')
  })

  it.each([
    ['question', null, 'Den Preis haben Sie im Warenkorb angegeben: 4,50 € / Stück.'],
    ['article_type', 7, 'Es gilt der Preis für diesen Artikeltyp: 4,50 € / Stück. Quelle: Anarbeitungspreis 7'],
    ['general', 8, 'Es gilt der allgemeine Preis: 4,50 € / Stück. Quelle: Anarbeitungspreis 8'],
  ] as const)('shows the origin of the price of a processing: %s', async (source, id, sentence) => {
    server.use(http.get('/api/admin/processing-prices/{id}', () => new Promise<never>(() => undefined)))
    answer = (own, index) => {
      const line = pricedLine(index, own)
      const price = { price: '4.5', price_quantity: '1', unit: 'piece' as const }
      const explanation = { processing_price: { source, id, price }, steps: [], rounding: '0' }
      const cut = { type: 'processing' as const, processing_id: 1, base: '9', total: '9', exact: '9', weight: null, explanation }
      return { ...line, items: [...line.items, cut] }
    }
    const { rows } = await opened()
    expect(rows.find((row) => row.startsWith('Anarbeitung'))).toContain(sentence)
  })

  it('links the price lists that were considered, and names those without effect', async () => {
    const { user, why } = await opened()
    const sources = within(why.getByRole('region', { name: 'Woher der Preis kommt' }))
      .getAllByRole('listitem')
      .map(plain)
    expect(sources[0]).toMatch(
      /^Sonderpreise: Die Liste hat für diesen Artikel keinen Preis\. Sie gilt für diesen Kunden, seit 01\.11\.2026/,
    )
    expect(sources[1]).toMatch(/^Verkauf 2026: Aus dieser Liste stammt der Preis\. Sie gilt für alle Kunden/)
    expect(why.getByRole('link', { name: 'Sonderpreise' })).toHaveAttribute('href', '/priceLists/4')
    expect(why.getByRole('link', { name: 'HEB-200 · HEB 200 S235JR' })).toHaveAttribute('href', '/articles/2')
    await user.click(why.getByText('2 Listen und Preisanpassungen bleiben hier wirkungslos'))
    expect(why.getByText(/Großmengenrabatt/).closest('li')).toHaveTextContent('Die Bedingungen sind nicht erfüllt:')
    expect(plain(why.getByText(/^Gewicht des Warenkorbs/).closest('li'))).toBe(
      'Nicht erfüllt: Gewicht des Warenkorbs mindestens 10 t · hier 2,22519 t',
    )
    expect(plain(why.getByText(/^Wochentag/).closest('li'))).toBe('Erfüllt: Wochentag gehört nicht zu: Samstag und Sonntag · hier Mittwoch')
    expect(plain(why.getByRole('link', { name: 'Verkauf 2027' }).closest('li'))).toBe(
      'Verkauf 2027: Die Liste gilt zu diesem Zeitpunkt noch nicht.',
    )
  })

  const conditional = (conditions: QuoteCondition): QuoteStep => ({
    adjustment_id: 9,
    name: 'Großmengenrabatt',
    operation: 'discount',
    value: '3',
    surcharge: null,
    calculation_type: 'relativeToBase',
    ignored_further: false,
    outcome: 'conditions',
    conditions,
    basis: null,
    basis_unit: null,
    amount: '0',
    exact: '0',
    total: '2191.81',
  })

  it.each<[string, QuoteCondition, string]>([
    [
      'an amount with all places that are compared',
      { holds: false, group: null, type: 'cart_base_price', op: 'greater_equals', value: '1000', found: '999.9999999' },
      'Warenkorb ohne Zuschläge und Rabatte mindestens 1.000,00 € · hier 999,9999999 €',
    ],
    [
      'a processing that there is none of',
      { holds: false, group: null, type: 'processing', op: 'in', value: [7], found: [] },
      'Anarbeitung gehört zu: 7 · hier keine',
    ],
    [
      'a customer that nobody has named',
      { holds: false, group: null, type: 'tenant', op: 'in', value: [7], found: [] },
      'Kunde gehört zu: 7 · hier keiner angegeben',
    ],
    [
      'a weight that nobody knows',
      { holds: false, group: null, type: 'item_weight', op: 'greater_than', value: '5', unit: 't' },
      'Gewicht der Position über 5 t · hier nicht bekannt',
    ],
    ['a group of which nothing may hold', { holds: false, group: 'not', parts: [] }, 'Keine davon darf gelten:'],
  ])('shows the value that a condition was compared with: %s', async (_, conditions, expected) => {
    answer = (own, index) => {
      const line = pricedLine(index, own)
      const explanation = { processing_price: null, steps: [conditional(conditions)], rounding: '0' }
      return { ...line, items: line.items.map((item) => ({ ...item, explanation })) }
    }
    const { user, why } = await opened()
    await user.click(why.getByText(/bleiben hier wirkungslos$/))
    const condition =
      why
        .getByText(/^Großmengenrabatt$/)
        .closest('li')
        ?.querySelector('li') ?? null
    expect(plain(condition).replace(/(Anarbeitung|Mandant) 7/, '7')).toBe(`Nicht erfüllt: ${expected}`)
  })

  it('shows all times in the time zone of the installation, and names it if it differs from the local one', async () => {
    server.use(http.get('/api/config', () => HttpResponse.json({ ...DEFAULTS, time_zone: 'Asia/Tokyo' })))
    const { why } = await opened()
    expect(why.getAllByText(/Sie gilt für diesen Kunden, seit 01\.11\.2026 09:00 Uhr\./)).toHaveLength(1)
    expect(screen.getByText(/^Berechnet für .* \(Asia\/Tokyo\)$/)).toBeInTheDocument()
  })

  it('shows why a line has no price, list by list', async () => {
    const message = 'Vom Artikel HEB-200 werden mindestens 5 t verkauft („Bund“).'
    answer = (own, index) => {
      const line = pricedLine(index, own)
      const errors: QuoteLine['errors'] = [{ field: 'quantity', code: 'quantity_below_minimum', message }]
      return { ...line, items: [], internal: null, margin: null, errors }
    }
    await loadTexts('priceCalculator', 'whyPrice')
    const { user } = renderApp('/price-calculator?line=2_3_piece', 'tenantAdmin')
    await user.click(await screen.findByRole('button', { name: 'Warum kein Preis? Position 1' }))
    const why = within(await screen.findByRole('region', { name: 'Warum kein Preis: HEB-200' }))
    expect(await why.findByText(message)).toBeInTheDocument()
    const sources = within(why.getByRole('region', { name: 'Woher der Preis kommt' }))
    expect(sources.getByText(/Die Liste hat für diesen Artikel keinen Preis/)).toBeInTheDocument()
    expect(why.queryByRole('table')).toBeNull()

    // the customer sees it as well, on the screen and in the text
    await user.click(screen.getByRole('button', { name: 'Ansicht für den Kunden' }))
    const view = within(await screen.findByRole('dialog'))
    expect(await view.findByText(message)).toBeInTheDocument()
    expect(view.getByText('Sonderpreise: Die Liste hat für diesen Artikel keinen Preis.')).toBeInTheDocument()
  })
})
