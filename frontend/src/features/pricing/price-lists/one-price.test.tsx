import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it } from 'vitest'
import { http } from '~/mocks/server'
import { mockedList, ready, row, serveListPrices } from '~/test/fixtures/list-prices'
import { db, server } from '~/test/server'

serveListPrices()

describe('one price', () => {
  const tier = { quantity_from: '120', quantity_unit: 'm', price: '830', price_quantity: '1', unit: 't' } as const

  it('has quantity breaks, starting from the currently saved ones', async () => {
    const { user, cell } = await ready()
    mockedList.rows = mockedList.rows.map((one) => (one.id === 1 ? row(1, { version: 2, bulk_prices: [tier] }) : one))
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    await dialog.findByRole('group', { name: 'Staffel 1' })
    await user.click(dialog.getByRole('button', { name: 'Hinzufügen' }))
    await user.keyboard('240{Tab}{Tab}815,5{Enter}')
    await screen.findByText('1 Preis wurde gespeichert')
    expect(mockedList.sent).toEqual([
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

  it('is resolved as a whole if another user has saved it first, while quantity breaks are merged', async () => {
    mockedList.rows = [row(1, { bulk_prices: [tier] })]
    const { user, cell } = await ready()
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    await dialog.findByRole('group', { name: 'Staffel 1' })
    mockedList.rows = [row(1, { version: 2, price: { price: '86', price_quantity: '100', unit: 'kg' }, bulk_prices: [tier] })]
    await user.clear(dialog.getByLabelText('Preis'))
    await user.type(dialog.getByLabelText('Preis'), '870')
    await user.click(dialog.getByRole('button', { name: 'Hinzufügen' }))
    await user.keyboard('240{Tab}{Tab}815{Enter}')
    const conflict = within(await screen.findByRole('dialog', { name: 'Der Eintrag wurde zwischenzeitlich geändert' }))
    const question = within(await conflict.findByRole('radiogroup', { name: 'Preis' }))
    expect(question.getByRole('radio', { name: /Ihre Eingabe: 870,00\s€\s\/\st/ })).toBeChecked()
    await user.click(question.getByRole('radio', { name: /Gespeicherter Stand: 86,00\s€\s\/\s100\skg/ }))
    expect(mockedList.sent).toHaveLength(1)
    await user.click(conflict.getByRole('button', { name: 'Auswahl speichern' }))
    await screen.findByText('1 Preis wurde gespeichert')
    expect(mockedList.sent.at(-1)).toEqual([
      {
        article_id: 11,
        version: 2,
        price: { price: '86', price_quantity: '100', unit: 'kg' },
        bulk_prices: [tier, { ...tier, quantity_from: '240', price: '815' }],
      },
    ])
  })

  it('is added again on save if another user has removed it from the list', async () => {
    const { user, cell } = await ready()
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    mockedList.rows = mockedList.rows.filter(({ id }) => id !== 1)
    await user.clear(await dialog.findByLabelText('Preis'))
    await user.type(dialog.getByLabelText('Preis'), '870{Enter}')
    const conflict = within(await screen.findByRole('dialog', { name: 'Der Eintrag wurde zwischenzeitlich geändert' }))
    expect(await conflict.findByRole('radio', { name: /Gespeicherter Stand: \(leer\)/ })).toBeInTheDocument()
    await user.click(conflict.getByRole('button', { name: 'Auswahl speichern' }))
    await screen.findByText('1 Preis wurde gespeichert')
    expect(mockedList.sent.at(-1)).toMatchObject([{ article_id: 11, version: 0, price: { price: '870' } }])
  })

  it('has no quantity break twice', async () => {
    mockedList.rows = [row(1, { bulk_prices: [tier] })]
    const { user, cell } = await ready()
    await user.click(cell(0, 5))
    await user.keyboard('{Enter}')
    const dialog = within(await screen.findByRole('dialog', { name: 'Preis und Staffeln' }))
    await dialog.findByRole('group', { name: 'Staffel 1' })
    await user.click(dialog.getByRole('button', { name: 'Hinzufügen' }))
    await user.keyboard('120{Tab}{Tab}815,5{Enter}')
    expect(await dialog.findByText('Diese Menge kommt schon vor.')).toBeInTheDocument()
    expect(mockedList.sent).toEqual([])
  })

  it('is added with its article, unless the list already has it', async () => {
    const first = db.articles[0]
    if (!first) throw new Error('no article')
    mockedList.rows = [row(1, { article: { ...row(1).article, id: first.id } })]
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
    expect(dialog.getByLabelText('Preis')).toHaveValue('850,00')
  })

  it('is released with the suggested value if it is implausible', async () => {
    const money = (price: string) => ({ price, price_quantity: '1', unit: 't' as const })
    const reasons = [{ code: 'price_jump' as never, message: 'Der Preis fällt um 90 %.' }]
    mockedList.rows = [
      row(1, { held: { price: money('85'), mended: money('850.5'), bulk_prices: [], reasons, import_id: null, by: null, others: [] } }),
    ]
    const decided: unknown[] = []
    server.use(
      http.post('/api/admin/price-lists/{id}/prices/decide', async ({ request }) => {
        decided.push(await request.json())
        mockedList.rows = [row(1, { version: 2, price: money('850.5') })]
        return HttpResponse.json({ data: mockedList.rows })
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
