import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type {
  PriceDifference,
  PriceImpact,
  PriceList,
  PriceListChange,
  PriceListImpactInput,
  PriceListPrice,
  PriceListPriceInput,
} from '~/api/schema'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { priceListRow } from '~/test/fixtures/price-list-row'
import { renderApp } from '~/test/render'
import { db, gate, requests, server } from '~/test/server'

const list = priceListRow({ price_count: 3 })

const row = (id: number, part: Partial<PriceListPrice> = {}): PriceListPrice => ({
  id,
  version: 1,
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
  article: { id: id + 10, article_number: `HEB-${id}`, article_name: `HEB ${id}`, base_unit: 'm', listing_unit: 'm', price_unit: 't' },
  price: { price: '850', price_quantity: '1', unit: 't' },
  bulk_prices: [],
  held: null,
  ...part,
})

const DIFFERENCE: PriceDifference = {
  created: 0,
  changed: 2,
  unchanged: 0,
  held: 0,
  impossible: 0,
  waiting: 0,
  median_percent: '3',
  lines: [],
}

let shown: PriceList
let rows: PriceListPrice[]
let sent: PriceListPriceInput[][]
let changes: PriceListChange[]
/** What was asked of the impact, and what it is. */
let impacts: PriceListImpactInput[]
let impact: PriceImpact

beforeAll(() => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600)
})
afterAll(() => vi.restoreAllMocks())

const of = ({ article_id, article_number }: PriceListPriceInput) =>
  rows.find(({ article }) => article.id === article_id || article.article_number === article_number)

function refusedOf(prices: PriceListPriceInput[]) {
  const errors = prices.flatMap((price, at) => [
    ...((price.version ?? null) === null || price.version === (of(price)?.version ?? 0)
      ? []
      : [[`prices.${at}.version`, ['stale']] as const]),
    ...(price.price?.unit === 'm' ? [[`prices.${at}.price.unit`, ['Nicht in Metern.']] as const] : []),
    ...(price.article_number?.startsWith('X') ? [[`prices.${at}.article_number`, ['Diesen Artikel gibt es nicht.']] as const] : []),
  ])
  return errors.length > 0 ? problem(422, 'invalid', 'Bitte prüfen Sie Ihre Eingaben.', Object.fromEntries(errors) as never) : null
}

/** As the server puts prices: all or none. */
function put(prices: PriceListPriceInput[]) {
  const refused = refusedOf(prices)
  if (refused) return refused
  const answer = prices.flatMap((price) => {
    const before = of(price) ?? row(rows.length + 1, { version: 0 })
    const now = { ...before, version: before.version + 1, price: price.price ?? null, bulk_prices: price.bulk_prices ?? [] }
    rows = rows.filter((one) => one !== before)
    if (!now.price && now.bulk_prices.length === 0) return []
    rows = [...rows, now].sort((a, b) => a.id - b.id)
    return [now]
  })
  return HttpResponse.json({ data: answer })
}

beforeEach(() => {
  shown = list
  rows = [1, 2, 3].map((id) => row(id))
  sent = []
  changes = []
  impacts = []
  impact = impactAnswer({ articles_touched: 0, below_internal_before: 5, sample_carts: [] })
  server.use(
    http.get('/api/admin/price-lists/{id}', () => HttpResponse.json(shown)),
    http.get('/api/admin/price-lists/{id}/prices', ({ request }) => {
      const wanted = new URL(request.url).searchParams.getAll('filter[article_id]').map(Number)
      const data = wanted.length > 0 ? rows.filter(({ article }) => wanted.includes(article.id)) : rows
      return HttpResponse.json({ data, meta: { current_page: 1, last_page: 1, per_page: 200, total: data.length } })
    }),
    http.put('/api/admin/price-lists/{id}/prices', async ({ request }) => {
      const { prices } = (await request.json()) as { prices: PriceListPriceInput[] }
      sent.push(prices)
      return put(prices) as never
    }),
    http.post('/api/admin/price-lists/{id}/prices/change', async ({ request }) => {
      changes.push((await request.json()) as PriceListChange)
      return HttpResponse.json(DIFFERENCE, { headers: { 'x-request-id': 'b'.repeat(32) } })
    }),
    http.post('/api/admin/audit/impact', () => HttpResponse.json(impactAnswer())),
    http.post('/api/admin/price-lists/{id}/impact', async ({ request }) => {
      const body = (await request.json()) as PriceListImpactInput
      impacts.push(body)
      const refused = refusedOf(body.prices ?? [])
      return refused ?? HttpResponse.json(impact)
    }),
  )
})

async function open(user: Parameters<typeof renderApp>[1] = 'tenantAdmin') {
  const view = renderApp('/priceLists/1/prices', user)
  await screen.findByRole('heading', { level: 1, name: 'Verkauf 2026' })
  const cellIn = (of: Element, at: number, column: number) =>
    of.querySelector(`[data-row="${at}"] [data-column="${column}"]`) as HTMLElement
  const cell = (at: number, column: number) => cellIn(view.container, at, column)
  const save = () => view.user.click(screen.getByRole('button', { name: 'Speichern' }))
  return { ...view, cell, cellIn, save }
}
const ready = async () => {
  const view = await open()
  await screen.findByRole('rowheader', { name: 'HEB-1' })
  return view
}

it('saves a block as a German spreadsheet has it at once, and takes a row out of the list that is emptied', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('1.234,56 €\n92,50 €/100 kg\n')
  await user.click(cell(2, 2))
  await user.keyboard('{Delete}')
  await save()
  await screen.findByText('3 Preise wurden gespeichert')
  expect(sent).toEqual([
    [
      { article_id: 11, version: 1, price: { price: '1234.56', price_quantity: '1', unit: 't' }, bulk_prices: [] },
      { article_id: 12, version: 1, price: { price: '92.5', price_quantity: '100', unit: 'kg' }, bulk_prices: [] },
      { article_id: 13, version: 1, price: null, bulk_prices: [] },
    ],
  ])
  await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'HEB-3' })).not.toBeInTheDocument())
  expect(cell(0, 2)).toHaveTextContent('1.234,56')
})

it('tells what changed prices would do before they are saved, and of those that are refused at their cells', async () => {
  let asked: unknown
  let refuses = true
  server.use(
    http.post('/api/admin/price-lists/{id}/impact', async ({ request }) => {
      asked = await request.json()
      if (refuses) return problem(422, 'invalid', '', { 'prices.1.price.unit': ['Nicht in Metern.'] } as never)
      return HttpResponse.json(impactAnswer())
    }),
  )
  const { user, cell } = await ready()
  expect(screen.getAllByRole('button', { name: 'Auswirkung' }).at(-1)).toBeDisabled()
  await user.click(cell(0, 2))
  await user.paste('900\n950\n')
  const show = () => user.click(screen.getAllByRole('button', { name: 'Auswirkung' }).at(-1) as HTMLElement)
  await show()
  await waitFor(() => expect(cell(1, 4)).toHaveAttribute('aria-invalid', 'true'))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  refuses = false
  await show()
  const dialog = within(await screen.findByRole('dialog', { name: 'Preise in „Verkauf 2026“ speichern?' }))
  await dialog.findByText(/^312 von 1\.240 Artikeln/)
  expect(sent).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Zurück zur Tabelle' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(sent).toEqual([])
  await show()
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(sent).toHaveLength(1))
  expect(asked).toEqual({ prices: sent[0] })
})

const asking = () => screen.findByRole('dialog', { name: 'Preise in „Verkauf 2026“ speichern?' })

it('tells what a save does where it does something, and by keyboard that is one key more', async () => {
  impact = impactAnswer()
  const { user, cell } = await ready()
  await user.click(cell(0, 2))
  // what is still being entered is saved as well
  await user.keyboard('900{Control>}s{/Control}')
  const dialog = within(await asking())
  expect(dialog.getByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Speichern' })).toHaveFocus()
  expect(sent).toEqual([])
  await user.keyboard('{Enter}')
  await screen.findByText('1 Preis wurde gespeichert')
  expect(impacts).toEqual([{ prices: sent[0] }])
  // nothing is left to be saved
  await user.keyboard('{Control>}s{/Control}')
  expect(impacts).toHaveLength(1)
})

it('says that the impact is being calculated when it takes long, and waits for nobody', async () => {
  const { opened, open } = gate()
  server.use(
    http.post('/api/admin/price-lists/{id}/impact', async () => {
      await opened
      return HttpResponse.json(impact)
    }),
  )
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('861')
  await save()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  const dialog = await asking()
  expect(within(dialog).getByText(/wird berechnet/)).toBeInTheDocument()
  expect(sent).toEqual([])
  // nothing changes for anybody: it is saved without a word more
  open()
  await screen.findByText('1 Preis wurde gespeichert')
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
})

it('saves without asking for whoever does not own the list, or sees no prices', async () => {
  impact = impactAnswer()
  shown = { ...list, own: false }
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('861')
  await save()
  await screen.findByText('1 Preis wurde gespeichert')
  expect(impacts).toEqual([])
})

/** Takes back what the message tells of, after the question that shows what that does to prices. */
async function undo(user: Awaited<ReturnType<typeof ready>>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Rückgängig' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Preisänderung rückgängig machen?' }))
  expect(await question.findByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
  await user.click(question.getByRole('button', { name: 'Rückgängig machen' }))
}

it('offers to take back what was saved', async () => {
  const asked: unknown[] = []
  server.use(
    http.put('/api/admin/price-lists/{id}/prices', () =>
      HttpResponse.json({ data: rows.slice(0, 1) }, { headers: { 'x-request-id': 'a'.repeat(32) } }),
    ),
    http.post('/api/admin/audit/undo', async ({ request }) => {
      asked.push(await request.json())
      return HttpResponse.json({ done: 1, refused: [], asks_for_articles: null, asks_for_deletions: null })
    }),
  )
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('861')
  await save()
  await undo(user)
  await waitFor(() => expect(asked).toEqual([{ request_id: 'a'.repeat(32) }]))
})

it('fills down, and takes that back as one step', async () => {
  const { user, cell } = await ready()
  await user.click(cell(0, 2))
  await user.keyboard('910{Enter}')
  await user.click(cell(0, 2))
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}{Control>}d{/Control}')
  expect(cell(2, 2)).toHaveTextContent('910,00')
  await user.keyboard('{Control>}z{/Control}')
  expect([cell(0, 2), cell(1, 2), cell(2, 2)].map((one) => one.textContent)).toEqual([
    expect.stringContaining('910,00'),
    '850,00',
    '850,00',
  ])
})

it('puts what the server refuses at its cells, and saves nothing of it', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 4))
  await user.paste('m')
  await save()
  await waitFor(() => expect(cell(1, 4)).toBeInvalid())
  expect(cell(1, 4)).toHaveAccessibleDescription(/Nicht in Metern/)
  expect(rows[1]).toMatchObject({ version: 1 })
})

it('shows what somebody else has saved meanwhile, and saves upon that', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 2))
  await user.keyboard('900{Enter}')
  rows = rows.map((one) => (one.id === 2 ? row(2, { version: 7, price: { price: '877', price_quantity: '1', unit: 't' } }) : one))
  await save()
  await waitFor(() => expect(cell(1, 2)).toBeInvalid())
  expect(cell(1, 2)).toHaveAccessibleDescription(/inzwischen gespeichert ist 877,00, vorher war es 850,00/)
  await user.click(screen.getByRole('button', { name: 'Meine behalten' }))
  await save()
  await screen.findByText('1 Preis wurde gespeichert')
  expect(sent.at(-1)?.[0]).toMatchObject({ article_id: 12, version: 7, price: { price: '900' } })
})

it('says whose price waits, where that is all that somebody else has changed', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 2))
  await user.keyboard('900{Enter}')
  const price = { price: '8770', price_quantity: '1', unit: 't' } as const
  const held = { price, mended: null, bulk_prices: [], reasons: [], import_id: null, by: { id: 3, name: 'Eva Lindner' }, others: [] }
  rows = rows.map((one) => (one.id === 2 ? row(2, { version: 7, held }) : one))
  await save()
  await waitFor(() => expect(cell(1, 0)).toHaveAccessibleDescription(/Eva Lindner möchte 8\.770,00\s€\s\/\st/))
  await save()
  await waitFor(() => expect(sent.at(-1)?.[0]).toMatchObject({ article_id: 12, version: 7, price: { price: '900' } }))
})

it('brings back with what was entered what somebody else has taken out of the list', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 2))
  await user.keyboard('900{Enter}')
  rows = rows.filter(({ id }) => id !== 2)
  await save()
  await user.click(await screen.findByRole('button', { name: 'Meine behalten' }))
  await save()
  await screen.findByText('1 Preis wurde gespeichert')
  expect(sent.at(-1)?.[0]).toMatchObject({ article_id: 12, version: 0, price: { price: '900' } })
})

it('asks before what was changed is lost', async () => {
  const { user, cell, path } = await ready()
  await user.click(cell(0, 2))
  await user.keyboard('900{Enter}')
  await user.click(screen.getByRole('link', { name: 'Gilt für' }))
  await user.click(await screen.findByRole('button', { name: 'Weiter bearbeiten' }))
  expect(path()).toBe('/priceLists/1/prices')
  expect(cell(0, 2)).toHaveTextContent('900,00')
})

const tab = (name: string) => within(screen.getByRole('navigation', { name: 'Verkauf 2026' })).queryByRole('link', { name })

it('cannot be changed when the list has expired, or is another’s', async () => {
  shown = { ...list, status: 'inactive' }
  rows = [row(1, { held: { price: null, mended: null, bulk_prices: [], reasons: [], import_id: null, by: null, others: [] } })]
  const { cell, unmount } = await ready()
  expect(cell(0, 2)).toHaveAttribute('aria-readonly', 'true')
  expect(screen.getByText(/ist abgelaufen und wird nicht mehr geändert/)).toBeInTheDocument()
  expect(screen.queryByRole('columnheader', { name: 'Freigabe' })).not.toBeInTheDocument()
  for (const name of ['Rückgängig machen (Strg+Z)', 'Nach unten ausfüllen (Strg+D)'])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  expect(screen.queryByText('Nichts geändert')).not.toBeInTheDocument()
  expect(document.querySelector('[data-fill]')).toBeNull()
  expect(tab('Verlauf')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Speichern' })).not.toBeInTheDocument()
  unmount()
  shown = { ...list, own: false, writable: false }
  await ready()
  expect(await screen.findByText(/gehört einem anderen Unternehmen/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Preise ändern …' })).not.toBeInTheDocument()
  expect(tab('Verlauf')).toBeNull()
})

it('has tools to edit and the column of what waits where it can be changed', async () => {
  await ready()
  expect(screen.getByRole('columnheader', { name: 'Freigabe' })).toBeInTheDocument()
  for (const name of ['Rückgängig machen (Strg+Z)', 'Nach unten ausfüllen (Strg+D)'])
    expect(screen.getByRole('button', { name })).toBeInTheDocument()
  expect(screen.getByText('Nichts geändert')).toBeInTheDocument()
})

it('opens what waits for a release from its cell, and nothing where nothing waits', async () => {
  rows = [row(1), row(2, { held: { price: null, mended: null, bulk_prices: [], reasons: [], import_id: null, by: null, others: [] } })]
  const { user, cell } = await ready()
  await user.click(cell(0, 6))
  await user.keyboard('{Enter}')
  expect(screen.getByText('Diese Zelle lässt sich nicht ändern.')).toBeInTheDocument()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(await screen.findByRole('dialog', { name: /^Preis und Staffeln/ })).toBeInTheDocument()
})

describe('many prices at once', () => {
  const changing = async (view: Awaited<ReturnType<typeof ready>>) => {
    await view.user.click(screen.getByRole('button', { name: 'Preise ändern …' }))
    return within(await screen.findByRole('dialog', { name: 'Preise ändern …' }))
  }

  it('are changed as shown before, and only as many as were told', async () => {
    const view = await ready()
    const form = await changing(view)
    expect(form.getByRole('button', { name: 'Preise ändern' })).toBeDisabled()
    await view.user.type(form.getByLabelText('Um *'), '3')
    expect(await form.findByText(/^2 Preise geändert · mittlere Änderung \+3,00.%$/)).toBeInTheDocument()
    expect(changes.at(-1)).toEqual({
      change: { percent: '3' },
      rounding: null,
      from_price_list_id: null,
      price_ids: null,
      discard_waiting: false,
      dry_run: true,
    })
    await waitFor(() => expect(form.getByRole('button', { name: 'Preise ändern' })).toBeEnabled())
    await view.user.click(form.getByRole('button', { name: 'Preise ändern' }))
    expect(await screen.findByText('2 Preise wurden gespeichert')).toBeInTheDocument()
    expect(changes.filter(({ dry_run }) => !dry_run)).toMatchObject([{ change: { percent: '3' }, count: 2 }])
  })

  it('are asked about only when the change can be one, which is said at once', async () => {
    const view = await ready()
    const form = await changing(view)
    await view.user.type(form.getByLabelText('Um *'), '1e30')
    expect(form.getByText('Keine gültige Zahl')).toBeInTheDocument()
    await view.user.clear(form.getByLabelText('Um *'))
    await view.user.type(form.getByLabelText('Um *'), '3,12345')
    expect(form.getByText(/Höchstens 8 Stellen vor und 4 nach/)).toBeInTheDocument()
    await view.user.clear(form.getByLabelText('Um *'))
    expect(form.getByText('Pflichtfeld')).toBeInTheDocument()
    expect(changes.some(({ change }) => change?.percent === '3.12345')).toBe(false)
  })

  it('are taken back as a whole', async () => {
    const asked: unknown[] = []
    server.use(
      http.post('/api/admin/audit/undo', async ({ request }) => {
        asked.push(await request.json())
        return HttpResponse.json({ done: 2, refused: [], asks_for_articles: null, asks_for_deletions: null })
      }),
    )
    const view = await ready()
    const form = await changing(view)
    await view.user.type(form.getByLabelText('Um *'), '3')
    await waitFor(() => expect(form.getByRole('button', { name: 'Preise ändern' })).toBeEnabled())
    await view.user.click(form.getByRole('button', { name: 'Preise ändern' }))
    await undo(view.user)
    await waitFor(() => expect(asked).toEqual([{ request_id: 'b'.repeat(32) }]))
  })

  it('are those of the selected rows, if several are', async () => {
    const view = await ready()
    await view.user.click(view.cell(1, 2))
    await view.user.keyboard('{Shift>}{ArrowDown}{/Shift}')
    const form = await changing(view)
    expect(form.getByLabelText('Welche Preise *')).toHaveDisplayValue('Die markierten Zeilen')
    await view.user.selectOptions(form.getByLabelText('Änderung *'), 'Festen Preis setzen')
    await view.user.type(form.getByLabelText('Neuer Preis *'), '900')
    await waitFor(() =>
      expect(changes.at(-1)).toEqual({
        change: { set: { price: '900', price_quantity: '1', unit: 't' } },
        rounding: null,
        from_price_list_id: null,
        price_ids: [2, 3],
        discard_waiting: false,
        dry_run: true,
      }),
    )
  })
})

describe('pasted prices', () => {
  const pasting = async (text: string) => {
    const view = await ready()
    await view.user.click(screen.getByRole('button', { name: 'Preise einfügen …' }))
    const dialog = await screen.findByRole('dialog', { name: 'Preise einfügen' })
    const cell = (at: number, column: number) => view.cellIn(dialog, at, column)
    await view.user.click(cell(0, 0))
    await view.user.paste(text)
    const take = () => view.user.click(within(dialog).getByRole('button', { name: 'In die Liste übernehmen' }))
    return { ...view, dialog, cell, take }
  }

  it('come into the list by their articles’ numbers', async () => {
    const { take, user, dialog } = await pasting('HEA-100\t1.150,00 €\nHEA-120\t92,50\t100\tkg\n')
    expect(within(dialog).getAllByRole('row').length).toBeLessThan(60)
    await take()
    await screen.findByText('2 Preise wurden gespeichert')
    expect(sent).toEqual([
      [
        { article_number: 'HEA-100', price: { price: '1150', price_quantity: '1', unit: 't' }, version: 0 },
        { article_number: 'HEA-120', price: { price: '92.5', price_quantity: '100', unit: 'kg' }, version: 0 },
      ],
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.click(document.body)
  })

  it('are pasted by a button where there is no keyboard', async () => {
    const matchMedia = vi.spyOn(window, 'matchMedia')
    const usual = matchMedia.getMockImplementation() ?? window.matchMedia
    const { matches: _, ...none } = usual('(pointer: coarse)')
    matchMedia.mockImplementation((query) => ({ ...none, media: query, matches: query === '(pointer: coarse)' }) as MediaQueryList)
    const { user } = await ready()
    await user.click(screen.getByRole('button', { name: 'Preise einfügen …' }))
    const dialog = await screen.findByRole('dialog', { name: 'Preise einfügen' })
    expect(within(dialog).getByText(/mit der Schaltfläche „Einfügen“/)).toBeInTheDocument()
    vi.spyOn(navigator.clipboard, 'readText').mockResolvedValue('HEA-100\t1.150,00 €\n')
    await user.click(within(dialog).getByRole('button', { name: 'Einfügen' }))
    expect(await within(dialog).findByText('HEA-100')).toBeInTheDocument()
    expect(within(dialog).getByText('1.150,00')).toBeInTheDocument()
    matchMedia.mockRestore()
  })

  it('tell line by line what cannot be taken, and lose none', async () => {
    const { take, cell, user, dialog } = await pasting('X-1\t850\nHEB-1\t870\nHEA-140\t\n')
    await take()
    await waitFor(() => expect(cell(2, 1)).toBeInvalid())
    expect(sent).toEqual([])
    await user.click(cell(2, 1))
    await user.keyboard('900{Enter}')
    await take()
    await waitFor(() => expect(cell(0, 0)).toHaveAccessibleDescription(/Diesen Artikel gibt es nicht/))
    expect(cell(1, 0)).toHaveAccessibleDescription(/Die Liste hat diesen Artikel schon/)
    expect(cell(2, 1)).toHaveTextContent('900,00')
    await user.click(within(dialog).getByRole('checkbox'))
    await user.click(cell(0, 0))
    await user.keyboard('HEA-160{Enter}')
    await take()
    await screen.findByText('3 Preise wurden gespeichert')
    expect(sent.at(-1)?.map((price) => [price.article_number, price.version])).toEqual([
      ['HEA-160', undefined],
      ['HEB-1', undefined],
      ['HEA-140', undefined],
    ])
  })
})

describe('one price', () => {
  const tier = { quantity_from: '120', quantity_unit: 'm', price: '830', price_quantity: '1', unit: 't' } as const

  it('has tiers, which begin with what is saved now', async () => {
    const { user, cell } = await ready()
    rows = rows.map((one) => (one.id === 1 ? row(1, { version: 2, bulk_prices: [tier] }) : one))
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    await dialog.findByRole('group', { name: 'Staffel 1' })
    await user.click(dialog.getByRole('button', { name: 'Hinzufügen' }))
    await user.keyboard('240{Tab}{Tab}815,5{Enter}')
    await screen.findByText('1 Preis wurde gespeichert')
    expect(sent).toEqual([
      [
        {
          article_id: 11,
          version: 2,
          price: { price: '850', price_quantity: '1', unit: 't' },
          bulk_prices: [tier, { ...tier, quantity_from: '240', price: '815.5' }],
        },
      ],
    ])
    expect(cell(0, 5)).toHaveTextContent('815,5')
  })

  it('that another user has saved first is chosen from as a whole, beside tiers that are merged', async () => {
    rows = [row(1, { bulk_prices: [tier] })]
    const { user, cell } = await ready()
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    await dialog.findByRole('group', { name: 'Staffel 1' })
    rows = [row(1, { version: 2, price: { price: '86', price_quantity: '100', unit: 'kg' }, bulk_prices: [tier] })]
    await user.clear(dialog.getByLabelText('Preis'))
    await user.type(dialog.getByLabelText('Preis'), '870')
    await user.click(dialog.getByRole('button', { name: 'Hinzufügen' }))
    await user.keyboard('240{Tab}{Tab}815{Enter}')
    const conflict = within(await screen.findByRole('dialog', { name: 'Der Eintrag wurde zwischenzeitlich geändert' }))
    const question = within(await conflict.findByRole('radiogroup', { name: 'Preis' }))
    expect(question.getByRole('radio', { name: /Ihre Eingabe: 870,00\s€\s\/\st/ })).toBeChecked()
    await user.click(question.getByRole('radio', { name: /Gespeicherter Stand: 86,00\s€\s\/\s100\skg/ }))
    expect(sent).toHaveLength(1)
    await user.click(conflict.getByRole('button', { name: 'Auswahl speichern' }))
    await screen.findByText('1 Preis wurde gespeichert')
    expect(sent.at(-1)).toEqual([
      {
        article_id: 11,
        version: 2,
        price: { price: '86', price_quantity: '100', unit: 'kg' },
        bulk_prices: [tier, { ...tier, quantity_from: '240', price: '815' }],
      },
    ])
  })

  it('that another user has taken out of the list comes back when it is saved', async () => {
    const { user, cell } = await ready()
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    rows = rows.filter(({ id }) => id !== 1)
    await user.clear(await dialog.findByLabelText('Preis'))
    await user.type(dialog.getByLabelText('Preis'), '870{Enter}')
    const conflict = within(await screen.findByRole('dialog', { name: 'Der Eintrag wurde zwischenzeitlich geändert' }))
    expect(await conflict.findByRole('radio', { name: /Gespeicherter Stand: \(leer\)/ })).toBeInTheDocument()
    await user.click(conflict.getByRole('button', { name: 'Auswahl speichern' }))
    await screen.findByText('1 Preis wurde gespeichert')
    expect(sent.at(-1)).toMatchObject([{ article_id: 11, version: 0, price: { price: '870' } }])
  })

  it('has no tier twice', async () => {
    rows = [row(1, { bulk_prices: [tier] })]
    const { user, cell } = await ready()
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    await dialog.findByRole('group', { name: 'Staffel 1' })
    await user.click(dialog.getByRole('button', { name: 'Hinzufügen' }))
    await user.keyboard('120{Tab}{Tab}815,5{Enter}')
    expect(await dialog.findByText('Diese Menge kommt schon vor.')).toBeInTheDocument()
    expect(sent).toEqual([])
  })

  it('comes with its article, and says so where the list has that', async () => {
    const first = db.articles[0]
    if (!first) throw new Error('no article')
    rows = [row(1, { article: { ...row(1).article, id: first.id } })]
    const { user } = await ready()
    await user.click(screen.getByRole('button', { name: 'Artikel hinzufügen' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Artikel hinzufügen' }))
    await user.click(dialog.getByLabelText(/^Artikel/))
    await user.click(within(await screen.findByRole('listbox')).getAllByRole('option')[0] as HTMLElement)
    await user.type(dialog.getByLabelText('Preis'), '850')
    await user.click(dialog.getByRole('button', { name: 'Speichern' }))
    expect(await dialog.findByText(/Diesen Artikel hat die Liste schon/)).toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Abbrechen' }))
    await user.click(await screen.findByRole('button', { name: 'Weiter bearbeiten' }))
    expect(dialog.getByLabelText('Preis')).toHaveValue('850')
  })

  it('that looks like a mistake is released as it was meant', async () => {
    const money = (price: string) => ({ price, price_quantity: '1', unit: 't' as const })
    const reasons = [{ code: 'price_jump' as never, message: 'Der Preis fällt um 90 %.' }]
    rows = [
      row(1, { held: { price: money('85'), mended: money('850.5'), bulk_prices: [], reasons, import_id: null, by: null, others: [] } }),
    ]
    const decided: unknown[] = []
    server.use(
      http.post('/api/admin/price-lists/{id}/prices/decide', async ({ request }) => {
        decided.push(await request.json())
        rows = [row(1, { version: 2, price: money('850.5') })]
        return HttpResponse.json({ data: rows })
      }),
    )
    const { user, cell } = await ready()
    expect(cell(0, 6)).toHaveTextContent('Wartet auf Freigabe')
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    await user.click(await screen.findByRole('button', { name: /Freigeben als 850,50/ }))
    await waitFor(() => expect(decided).toEqual([{ prices: [{ id: 1, version: 1 }], decision: 'release_mended' }]))
    await waitFor(() => expect(cell(0, 2)).toHaveTextContent('850,50'))
  })
})

it('offers what brings in the first prices where there are none', async () => {
  rows = []
  await open()
  expect(await screen.findByText('Noch keine Preise')).toBeInTheDocument()
  expect(screen.getAllByRole('button', { name: 'Preise einfügen …' }).length).toBeGreaterThan(0)
  await waitFor(() => expect(requests.some((request) => request.includes('/prices?'))).toBe(true))
})
