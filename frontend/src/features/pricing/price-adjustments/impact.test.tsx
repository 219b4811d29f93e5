import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PriceAdjustment, PriceAdjustmentImpactInput, PriceImpact } from '~/api/schema'
import { i18n, loadTexts } from '~/i18n/i18n'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { priceAdjustmentRow } from '~/test/fixtures/price-adjustment-row'
import { renderApp } from '~/test/render'
import { db, server } from '~/test/server'
import { priceAdjustmentSchema, toForm } from './schema'

let row: PriceAdjustment
let requests: PriceAdjustmentImpactInput[]
let saved: unknown[]
/** Server's answer to a request for the impact. */
let answerImpact: () => HttpResponse<PriceImpact> | Promise<HttpResponse<PriceImpact>>

beforeEach(() => {
  row = priceAdjustmentRow()
  requests = []
  saved = []
  answerImpact = () => HttpResponse.json(impactAnswer())
  server.use(
    http.get('/api/admin/price-adjustments/findings', () =>
      HttpResponse.json({ data: [], sample_carts: 0, made_carts: 0, complete: true }),
    ),
    http.get('/api/admin/price-adjustments', () =>
      HttpResponse.json({ data: [row], meta: { current_page: 1, last_page: 1, per_page: 200, total: 1 } }),
    ),
    http.get('/api/admin/price-adjustments/{id}', () => HttpResponse.json(row)),
    http.put('/api/admin/price-adjustments/{id}', async ({ request }) => {
      saved.push(await request.json())
      return HttpResponse.json(row)
    }),
    http.post('/api/admin/price-adjustments', async ({ request }) => {
      saved.push(await request.json())
      return HttpResponse.json(row, { status: 201 })
    }),
    http.patch('/api/admin/price-adjustments/{id}', async ({ request }) => {
      saved.push(await request.json())
      row = { ...row, active: false, version: 5 }
      return HttpResponse.json(row)
    }),
    http.delete('/api/admin/price-adjustments/{id}', () => {
      saved.push('deleted')
      return new HttpResponse(null, { status: 204 })
    }),
    http.post('/api/admin/price-adjustments/impact', async ({ request }) => {
      requests.push((await request.json()) as PriceAdjustmentImpactInput)
      return answerImpact()
    }),
  )
})

const LIST = '/price-adjustments?tenantId=1'

async function open() {
  const view = renderApp('/price-adjustments/1?tenantId=1')
  const form = within(await screen.findByRole('dialog'))
  await form.findByDisplayValue('Energiezuschlag')
  const save = async () => {
    await view.user.click(form.getByRole('button', { name: 'Speichern' }))
    return within(await screen.findByRole('dialog', { name: '„Energiezuschlag“ ändern?' }))
  }
  return { ...view, form, save }
}

describe('before an adjustment is saved', () => {
  it('its impact is shown as a sentence, as figures and as the largest changes', async () => {
    const { save } = await open()
    const dialog = await save()
    expect(await dialog.findByText('312 von 1.240 Artikeln ändern sich, im Mittel um −3,00 %, höchstens −7,14 %.')).toBeInTheDocument()
    const examined =
      'Untersucht: 1.240 Artikel; 1 Kundengruppe mit eigenen Preisen; Di 01.12.2026 00:00 Uhr; 2 Mengen (1 Preiseinheit und 25 t). Zusammen 2.480 Warenkörbe.'
    expect(dialog.getByText((text) => text.replaceAll('\u00a0', ' ') === examined)).toBeInTheDocument()
    const figures = dialog
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent?.replaceAll('\u00a0', ' ')])
    expect(figures).toEqual([
      ['Artikel betroffen', '312 von 1.240'],
      ['Preise sinken', '624 Preiseim Mittel −3,00 %, höchstens −7,14 %'],
      ['Unter dem internen Preis', '3 → 5bisher 3, nachher 5werden mehr'],
      [
        'Wert des Bestands',
        '1.240.550,40 € → 1.203.333,89 €bisher 1.240.550,40 €, nachher 1.203.333,89 €−37.216,51 € (−3,00 %); 86 Bestände der betroffenen Artikel als je eine Position, zu Preisen für alle Kunden; 2 Bestände ohne Preis sind nicht enthalten',
      ],
      ['Kunden betroffen', '12Südstahl GmbH und 11 weitere'],
    ])
    const movers = within(dialog.getByRole('table', { name: 'Die 2 Artikel mit den größten Änderungen' }))
    expect(movers.getByRole('row', { name: /IPE-200/ })).toHaveTextContent(
      /Südstahl GmbH25\st24\.625,00\s€23\.886,25\s€.*−738,75\s€−3,00\s%/,
    )
    expect(movers.getByRole('row', { name: /IPE-200/ })).toHaveTextContent('unter dem internen Preis')
    expect(movers.getByRole('row', { name: /HEB-120/ })).toHaveTextContent(/alle Kunden.*\+10,00\s€–$/)
    expect(movers.getByRole('link', { name: 'IPE-200 (in neuem Tab)' })).toHaveAttribute('target', '_blank')
    const carts = within(dialog.getByRole('table', { name: 'Beispielwarenkörbe' }))
    expect(dialog.getByText('2 von 3 Beispielwarenkörben ändern sich.')).toBeInTheDocument()
    // changed carts are listed first
    expect(carts.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Zwei Tonnen/),
      expect.stringMatching(/^Ohne/),
      expect.stringMatching(/^Unverändert/),
    ])
    expect(carts.getByRole('row', { name: /Zwei Tonnen/ })).toHaveTextContent(/1\.970,00\s€1\.910,90\s€−59,10\s€weicht ab/)
    expect(carts.getByRole('row', { name: /Ohne/ })).toHaveTextContent(/ohne PreisFür diesen Artikel gibt es keinen Preis\.–weicht ab/)
    expect(carts.getByRole('row', { name: /Unverändert/ })).toHaveTextContent(/wie erwartet/)
    expect(saved).toEqual([])
  })

  it('the same input is sent for the impact first, and saved afterwards', async () => {
    const { user, form, save, path } = await open()
    await user.clear(form.getByLabelText('Name *'))
    await user.type(form.getByLabelText('Name *'), 'Energie')
    const dialog = await save()
    // the button back to the form takes the focus, wherever it is in the dialog
    await waitFor(() => expect(dialog.getByRole('button', { name: 'Zurück zum Formular' })).toHaveFocus())
    const input = { ...(priceAdjustmentSchema.parse(toForm(row)) as object), name: 'Energie', version: 4 }
    await waitFor(() => expect(requests).toEqual([{ update: { id: 1, input } }]))
    expect(saved).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(path()).toBe('/price-adjustments'))
    expect(saved).toEqual([input])
  })

  it('Escape returns to the form with its input, and the impact is requested again', async () => {
    const { user, form, save } = await open()
    await user.clear(form.getByLabelText(/^Wert/))
    await user.type(form.getByLabelText(/^Wert/), '40')
    const dialog = await save()
    await dialog.findByText(/^312 von 1\.240 Artikeln/)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /ändern\?$/ })).not.toBeInTheDocument())
    expect(form.getByLabelText(/^Wert/)).toHaveValue('40,00')
    expect(form.getByRole('button', { name: 'Speichern' })).toHaveFocus()
    await save()
    await waitFor(() => expect(requests).toHaveLength(2))
    expect(saved).toEqual([])
  })

  it('a failed impact is reported and does not prevent saving', async () => {
    answerImpact = () => problem(503, 'busy', 'Der Server rechnet gerade. Bitte versuchen Sie es gleich noch einmal.')
    const { user, save, path } = await open()
    const dialog = await save()
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      /lässt sich nicht berechnen: Der Server rechnet gerade.*Sie können auch ohne diese Auskunft fortfahren/,
    )
    answerImpact = () => HttpResponse.json(impactAnswer())
    await user.click(dialog.getByRole('button', { name: 'Erneut versuchen' }))
    await dialog.findByText(/^312 von 1\.240 Artikeln/)
    answerImpact = () => problem(503, 'busy', '')
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(path()).toBe('/price-adjustments'))
    expect(saved).toHaveLength(1)
  })

  it('saving does not have to wait for it', async () => {
    answerImpact = () => new Promise(() => {})
    const { user, save } = await open()
    const dialog = await save()
    expect(await dialog.findByRole('status')).toHaveTextContent(/wird berechnet/)
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(saved).toHaveLength(1))
  })

  it('errors of the save are shown at their fields', async () => {
    answerImpact = () => problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', { name: ['Den Namen gibt es schon.'] } as never)
    const { user, form } = await open()
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(form.getByLabelText('Name *')).toHaveAccessibleDescription(/Den Namen gibt es schon/))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /ändern\?$/ })).not.toBeInTheDocument())
    await waitFor(() => expect(form.getByLabelText('Name *')).toHaveFocus())
    expect(saved).toEqual([])
    // and disappears when the error is fixed
    answerImpact = () => HttpResponse.json(impactAnswer())
    await user.type(form.getByLabelText('Name *'), ' 2')
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    await user.click(within(await screen.findByRole('dialog', { name: /ändern\?$/ })).getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(saved).toHaveLength(1))
  })

  it('an outdated version is reported as if it had been saved', async () => {
    answerImpact = () => problem(409, 'stale', 'Inzwischen geändert.')
    const { user, form } = await open()
    await user.clear(form.getByLabelText(/^Wert/))
    await user.type(form.getByLabelText(/^Wert/), '40')
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    expect(await screen.findByRole('dialog', { name: /zwischenzeitlich|Inzwischen|geändert/ })).toBeInTheDocument()
    expect(saved).toEqual([])
  })

  it('users who may not see prices save without it', async () => {
    const me = db.users.find(({ email }) => email === 'admin@stalhof.example')
    if (me) me.permissions = me.permissions.filter(({ name }) => name !== 'listing.view')
    const { user, form } = await open()
    await user.click(form.getByRole('button', { name: 'Speichern' }))
    await waitFor(() => expect(saved).toHaveLength(1))
    expect(requests).toEqual([])
  })
})

const EXAMINED: PriceImpact['examined'] = {
  carts: 240,
  moments: ['2026-11-27T11:00:00Z', '2026-11-28T11:00:00Z'],
  quantities: [
    { kind: 'price_unit', value: null, unit: null },
    { kind: 'around', value: '100', unit: 'kg' },
    { kind: 'around', value: '5000', unit: null },
    { kind: 'breaks', value: null, unit: null },
  ],
  customer_groups: 3,
  complete: false,
}

it('shows the processing of a price, and the day if it changes on another one', async () => {
  const [mover] = impactAnswer().movers
  answerImpact = () =>
    HttpResponse.json(
      impactAnswer({
        at: '2026-11-27T11:00:00Z',
        examined: EXAMINED,
        movers: mover ? [{ ...mover, at: '2026-11-28T11:00:00Z', processing: 'Bandsäge' }] : [],
      }),
    )
  const { save } = await open()
  const dialog = await save()
  expect(await dialog.findByRole('row', { name: /IPE-200/ })).toHaveTextContent(/Bandsäge, Sa 28\.11\.2026/)
  const quantities = '4 Mengen (1 Preiseinheit, um 100 kg, um 5.000,00 € und Staffelgrenzen)'
  expect(dialog.getByText((content) => content.replaceAll('\u00a0', ' ').includes(quantities))).toBeInTheDocument()
})

it.each<[string, Partial<PriceImpact>, string]>([
  ['nothing', { articles_touched: 0, sample_carts: [] }, 'Kein Preis der untersuchten Warenkörbe ändert sich.'],
  ['sample carts alone', { articles_touched: 0 }, 'ändert sich kein Artikel, wohl aber Beispielwarenkörbe.'],
  ['no article', { articles_touched: 0, articles_examined: 0, articles_in_all: 0, sample_carts: null }, 'Es gibt keinen Artikel'],
  [
    'both ways',
    { up: { prices: 4, median_percent: '1', largest_percent: '2.5' } },
    '312 von 1.240 Artikeln ändern sich: Preise steigen um bis zu +2,50 % und sinken um bis zu −7,14 %.',
  ],
  [
    'prices that come',
    { articles_touched: 1, articles_appearing: 1, down: { prices: 0, median_percent: null, largest_percent: null } },
    '1 von 1.240 Artikeln ändert sich.',
  ],
  ['a sample', { articles_examined: 800 }, 'Untersucht: gleichmäßige Stichprobe von 800 der 1.240 Artikel;'],
  [
    'moments and quantities that conditions name',
    { examined: EXAMINED },
    '2 Zeitpunkte (Fr 27.11.2026 12:00 Uhr und Sa 28.11.2026 12:00 Uhr);',
  ],
  ['what was left out', { examined: EXAMINED }, 'Nicht jede Kombination davon wurde berechnet'],
])('mentions %s', async (_name, part, text) => {
  answerImpact = () => HttpResponse.json(impactAnswer(part))
  const { save } = await open()
  expect((await (await save()).findAllByText((content) => content.includes(text)))[0]).toBeInTheDocument()
})

it('is shown in English', async () => {
  await i18n.changeLanguage('en')
  await loadTexts('priceAdjustments')
  answerImpact = () => HttpResponse.json(impactAnswer({ articles_vanishing: 2, held: 1 }))
  const { user } = renderApp('/price-adjustments/new?tenantId=1')
  const form = within(await screen.findByRole('dialog'))
  await user.type(form.getByLabelText('Name *'), 'New')
  await user.type(form.getByLabelText(/^Value/), '12.5')
  await user.keyboard('{Control>}{Enter}{/Control}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Create “New”?' }))
  expect(await dialog.findByText('312 of 1,240 articles change, median −3.00 %, at most −7.14 %.')).toBeInTheDocument()
  expect(dialog.getByText('Lose their price')).toBeInTheDocument()
  expect(dialog.getByText('Need a release')).toBeInTheDocument()
  expect(requests).toEqual([{ create: expect.objectContaining({ name: 'New', value: '12.5' }) }])
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  await i18n.changeLanguage('de')
})

describe('in the list', () => {
  it('switching one off asks first, and keeps it on if the user cancels', async () => {
    row = { ...row, excluded_tenants: [{ id: 6, company: 'Nordstahl GmbH' }] }
    const { user } = renderApp(LIST)
    const toggle = await screen.findByRole('switch', { name: 'Energiezuschlag einschalten' })
    await user.click(toggle)
    const dialog = within(await screen.findByRole('dialog', { name: '„Energiezuschlag“ ausschalten?' }))
    await dialog.findByText(/^312 von 1\.240 Artikeln/)
    expect(requests).toEqual([
      { update: { id: 1, input: { ...(priceAdjustmentSchema.parse(toForm(row)) as object), active: false, version: 4 } } },
    ])
    await user.click(dialog.getByRole('button', { name: 'Abbrechen' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(toggle).toBeChecked()
    expect(saved).toEqual([])
    await user.click(toggle)
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Ausschalten' }))
    await waitFor(() => expect(saved).toEqual([{ active: false, version: 4 }]))
  })

  it('deleting one shows the impact', async () => {
    const { user } = renderApp(LIST)
    await user.click(await screen.findByRole('button', { name: 'Aktionen für Energiezuschlag' }))
    await user.click(await screen.findByRole('menuitem', { name: /^Löschen/ }))
    expect(await screen.findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
    expect(requests).toEqual([{ delete: { id: 1 } }])
    const dialog = within(await screen.findByRole('alertdialog'))
    await user.click(dialog.getByRole('button', { name: 'Löschen' }))
    await waitFor(() => expect(saved).toEqual(['deleted']))
  })
})
