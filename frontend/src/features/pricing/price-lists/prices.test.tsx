import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { expect, it } from 'vitest'
import { http, problem } from '~/mocks/server'
import { impactAnswer } from '~/test/fixtures/impact-answer'
import { list, mockedList, open, ready, row, serveListPrices, undo } from '~/test/fixtures/list-prices'
import { deferredAnswer, requests, server } from '~/test/server'
import { stretchTimeouts } from '~/test/timers'

serveListPrices()

it('saves a block from a German spreadsheet in one call, and removes cleared rows from the list', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('1.234,56 €\n92,50 €/100 kg\n')
  await user.click(cell(2, 2))
  await user.keyboard('{Delete}')
  await save()
  await screen.findByText('3 Preise wurden gespeichert')
  expect(mockedList.sent).toEqual([
    [
      { article_id: 11, version: 1, price: { price: '1234.56', price_quantity: '1', unit: 't' }, bulk_prices: [] },
      { article_id: 12, version: 1, price: { price: '92.5', price_quantity: '100', unit: 'kg' }, bulk_prices: [] },
      { article_id: 13, version: 1, price: null, bulk_prices: [] },
    ],
  ])
  await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'HEB-3' })).not.toBeInTheDocument())
  expect(cell(0, 2)).toHaveTextContent('1.234,56')
})

it('shows the impact of changed prices before the save, and errors at their cells', async () => {
  let input: unknown
  let refuses = true
  server.use(
    http.post('/api/admin/price-lists/{id}/impact', async ({ request }) => {
      input = await request.json()
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
  expect(mockedList.sent).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Zurück zur Tabelle' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(mockedList.sent).toEqual([])
  await show()
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Speichern' }))
  await waitFor(() => expect(mockedList.sent).toHaveLength(1))
  expect(input).toEqual({ prices: mockedList.sent[0] })
})

const asking = () => screen.findByRole('dialog', { name: 'Preise in „Verkauf 2026“ speichern?' })

it('shows the impact of a save if there is one, which takes one more key by keyboard', async () => {
  mockedList.impact = impactAnswer()
  const { user, cell } = await ready()
  await user.click(cell(0, 2))
  // a cell that is still being edited is saved as well
  await user.keyboard('900{Control>}s{/Control}')
  const dialog = within(await asking())
  expect(dialog.getByText(/^312 von 1\.240 Artikeln/)).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Speichern' })).toHaveFocus()
  expect(mockedList.sent).toEqual([])
  await user.keyboard('{Enter}')
  await screen.findByText('1 Preis wurde gespeichert')
  expect(mockedList.impacts).toEqual([{ prices: mockedList.sent[0] }])
  // no changes are left
  await user.keyboard('{Control>}s{/Control}')
  expect(mockedList.impacts).toHaveLength(1)
})

it('shows that the impact is being calculated if it takes long, and does not block the user', async () => {
  const { opened, open } = deferredAnswer()
  server.use(
    http.post('/api/admin/price-lists/{id}/impact', async () => {
      await opened
      return HttpResponse.json(mockedList.impact)
    }),
  )
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('861')
  stretchTimeouts(400, 3_000)
  await save()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  const dialog = await asking()
  expect(within(dialog).getByText(/wird berechnet/)).toBeInTheDocument()
  expect(mockedList.sent).toEqual([])
  // without an impact it is saved without asking
  open()
  await screen.findByText('1 Preis wurde gespeichert')
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
})

it('saves without confirmation for users who do not own the list, or see no prices', async () => {
  mockedList.impact = impactAnswer()
  mockedList.shown = { ...list, own: false }
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('861')
  await save()
  await screen.findByText('1 Preis wurde gespeichert')
  expect(mockedList.impacts).toEqual([])
})

it('offers to undo a save', async () => {
  const inputs: unknown[] = []
  server.use(
    http.put('/api/admin/price-lists/{id}/prices', () =>
      HttpResponse.json({ data: mockedList.rows.slice(0, 1) }, { headers: { 'x-request-id': 'a'.repeat(32) } }),
    ),
    http.post('/api/admin/audit/undo', async ({ request }) => {
      inputs.push(await request.json())
      return HttpResponse.json({ done: 1, refused: [], asks_for_articles: null, asks_for_deletions: null })
    }),
  )
  const { user, cell, save } = await ready()
  await user.click(cell(0, 2))
  await user.paste('861')
  await save()
  await undo(user)
  await waitFor(() => expect(inputs).toEqual([{ request_id: 'a'.repeat(32) }]))
})

it('fills down, and undoes it as one step', async () => {
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

it('shows errors of the server at their cells, and saves nothing', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 4))
  await user.paste('m')
  await save()
  await waitFor(() => expect(cell(1, 4)).toBeInvalid())
  expect(cell(1, 4)).toHaveAccessibleDescription(/Nicht in Metern/)
  expect(mockedList.rows[1]).toMatchObject({ version: 1 })
})

it('shows changes by another user, and saves based on them', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 2))
  await user.keyboard('900{Enter}')
  mockedList.rows = mockedList.rows.map((one) =>
    one.id === 2 ? row(2, { version: 7, price: { price: '877', price_quantity: '1', unit: 't' } }) : one,
  )
  await save()
  await waitFor(() => expect(cell(1, 2)).toBeInvalid())
  expect(cell(1, 2)).toHaveAccessibleDescription(/inzwischen gespeichert ist 877,00, vorher war es 850,00/)
  await user.click(screen.getByRole('button', { name: 'Meine behalten' }))
  await save()
  await screen.findByText('1 Preis wurde gespeichert')
  expect(mockedList.sent.at(-1)?.[0]).toMatchObject({ article_id: 12, version: 7, price: { price: '900' } })
})

it('names the user of a price under review, if that is the only change of another user', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 2))
  await user.keyboard('900{Enter}')
  const price = { price: '8770', price_quantity: '1', unit: 't' } as const
  const heldPrice = { price, mended: null, bulk_prices: [], reasons: [], import_id: null, by: { id: 3, name: 'Eva Lindner' }, others: [] }
  mockedList.rows = mockedList.rows.map((one) => (one.id === 2 ? row(2, { version: 7, held: heldPrice }) : one))
  await save()
  await waitFor(() => expect(cell(1, 0)).toHaveAccessibleDescription(/Eva Lindner schlägt 8\.770,00\s€\s\/\st/))
  await save()
  await waitFor(() => expect(mockedList.sent.at(-1)?.[0]).toMatchObject({ article_id: 12, version: 7, price: { price: '900' } }))
})

it('adds a row again with the input if another user has removed it', async () => {
  const { user, cell, save } = await ready()
  await user.click(cell(1, 2))
  await user.keyboard('900{Enter}')
  mockedList.rows = mockedList.rows.filter(({ id }) => id !== 2)
  await save()
  await user.click(await screen.findByRole('button', { name: 'Meine behalten' }))
  await save()
  await screen.findByText('1 Preis wurde gespeichert')
  expect(mockedList.sent.at(-1)?.[0]).toMatchObject({ article_id: 12, version: 0, price: { price: '900' } })
})

it('asks before changes are lost', async () => {
  const { user, cell, path } = await ready()
  await user.click(cell(0, 2))
  await user.keyboard('900{Enter}')
  await user.click(screen.getByRole('link', { name: 'Gültig für' }))
  await user.click(await screen.findByRole('button', { name: 'Weiter bearbeiten' }))
  expect(path()).toBe('/priceLists/1/prices')
  expect(cell(0, 2)).toHaveTextContent('900,00')
})

const tab = (name: string) => within(screen.getByRole('navigation', { name: 'Verkauf 2026' })).queryByRole('link', { name })

it('cannot be changed if the list has expired, or belongs to another company', async () => {
  mockedList.shown = { ...list, status: 'inactive' }
  mockedList.rows = [row(1, { held: { price: null, mended: null, bulk_prices: [], reasons: [], import_id: null, by: null, others: [] } })]
  const { cell, unmount } = await ready()
  expect(cell(0, 2)).toHaveAttribute('aria-readonly', 'true')
  expect(screen.getByText(/ist abgelaufen und lässt sich nicht mehr ändern/)).toBeInTheDocument()
  expect(screen.queryByRole('columnheader', { name: 'Freigabe' })).not.toBeInTheDocument()
  for (const name of ['Rückgängig machen (Strg+Z)', 'Nach unten ausfüllen (Strg+D)'])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  expect(screen.queryByText('Nichts geändert')).not.toBeInTheDocument()
  expect(document.querySelector('[data-fill]')).toBeNull()
  expect(tab('Verlauf')).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Speichern' })).not.toBeInTheDocument()
  unmount()
  mockedList.shown = { ...list, own: false, writable: false }
  await ready()
  expect(await screen.findByText(/gehört einem anderen Unternehmen/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Preise ändern …' })).not.toBeInTheDocument()
  expect(tab('Verlauf')).toBeNull()
})

it('has editing tools and the review column if it can be changed', async () => {
  await ready()
  expect(screen.getByRole('columnheader', { name: 'Freigabe' })).toBeInTheDocument()
  for (const name of ['Rückgängig machen (Strg+Z)', 'Nach unten ausfüllen (Strg+D)'])
    expect(screen.getByRole('button', { name })).toBeInTheDocument()
  expect(screen.getByText('Nichts geändert')).toBeInTheDocument()
})

it('opens a price under review from its cell, and nothing otherwise', async () => {
  mockedList.rows = [
    row(1),
    row(2, { held: { price: null, mended: null, bulk_prices: [], reasons: [], import_id: null, by: null, others: [] } }),
  ]
  const { user, cell } = await ready()
  await user.click(cell(0, 6))
  await user.keyboard('{Enter}')
  expect(screen.getByText('Diese Zelle lässt sich nicht ändern.')).toBeInTheDocument()
  await user.keyboard('{ArrowDown}{Enter}')
  expect(await screen.findByRole('dialog', { name: /^Preis und Staffeln/ })).toBeInTheDocument()
})

it('offers ways to add the first prices if there are none', async () => {
  mockedList.rows = []
  await open()
  expect(await screen.findByText('Noch keine Preise')).toBeInTheDocument()
  expect(screen.getAllByRole('button', { name: 'Preise einfügen …' }).length).toBeGreaterThan(0)
  await waitFor(() => expect(requests.some((request) => request.includes('/prices?'))).toBe(true))
})
