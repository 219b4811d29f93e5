import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { describe, expect, it, vi } from 'vitest'
import { http } from '~/mocks/server'
import { mockedList, ready, serveListPrices, undo } from '~/test/fixtures/list-prices'
import { server } from '~/test/server'

serveListPrices()

describe('many prices at once', () => {
  const changing = async (view: Awaited<ReturnType<typeof ready>>) => {
    await view.user.click(screen.getByRole('button', { name: 'Preise ändern …' }))
    return within(await screen.findByRole('dialog', { name: 'Preise ändern …' }))
  }

  it('are changed as previewed, and only in the displayed number', async () => {
    const view = await ready()
    const form = await changing(view)
    expect(form.getByRole('button', { name: 'Preise ändern' })).toBeDisabled()
    await view.user.type(form.getByLabelText('Um *'), '3')
    expect(await form.findByText(/^2 Preise geändert · mittlere Änderung \+3,00.%$/)).toBeInTheDocument()
    expect(mockedList.changes.at(-1)).toEqual({
      change: { percent: '3' },
      rounding: { to: '0.01', direction: 'nearest' },
      from_price_list_id: null,
      price_ids: null,
      discard_waiting: false,
      dry_run: true,
    })
    await waitFor(() => expect(form.getByRole('button', { name: 'Preise ändern' })).toBeEnabled())
    await view.user.click(form.getByRole('button', { name: 'Preise ändern' }))
    expect(await screen.findByText('2 Preise wurden gespeichert')).toBeInTheDocument()
    expect(mockedList.changes.filter(({ dry_run }) => !dry_run)).toMatchObject([{ change: { percent: '3' }, count: 2 }])
  })

  it('are previewed only for a valid change, and errors are shown immediately', async () => {
    const view = await ready()
    const form = await changing(view)
    await view.user.type(form.getByLabelText('Um *'), '1e30')
    expect(form.getByText('Bitte geben Sie einen Prozentsatz ein, zum Beispiel 2,5')).toBeInTheDocument()
    await view.user.clear(form.getByLabelText('Um *'))
    await view.user.type(form.getByLabelText('Um *'), '3,12345')
    expect(form.getByText(/Höchstens 8 Stellen vor und 4 nach/)).toBeInTheDocument()
    await view.user.clear(form.getByLabelText('Um *'))
    expect(form.getByText('Pflichtfeld')).toBeInTheDocument()
    expect(mockedList.changes.some(({ change }) => change?.percent === '3.12345')).toBe(false)
  })

  it('are undone together', async () => {
    const requests: unknown[] = []
    server.use(
      http.post('/api/admin/audit/undo', async ({ request }) => {
        requests.push(await request.json())
        return HttpResponse.json({ done: 2, refused: [], asks_for_articles: null, asks_for_deletions: null })
      }),
    )
    const view = await ready()
    const form = await changing(view)
    await view.user.type(form.getByLabelText('Um *'), '3')
    await waitFor(() => expect(form.getByRole('button', { name: 'Preise ändern' })).toBeEnabled())
    await view.user.click(form.getByRole('button', { name: 'Preise ändern' }))
    await undo(view.user)
    await waitFor(() => expect(requests).toEqual([{ request_id: 'b'.repeat(32) }]))
  })

  it('are those of the selected rows, if several are', async () => {
    const view = await ready()
    await view.user.click(view.cell(1, 2))
    await view.user.keyboard('{Shift>}{ArrowDown}{/Shift}')
    const form = await changing(view)
    expect(form.getByLabelText('Welche Preise *')).toHaveDisplayValue('Die ausgewählten Zeilen')
    await view.user.selectOptions(form.getByLabelText('Änderung *'), 'Festen Preis setzen')
    await view.user.type(form.getByLabelText('Neuer Preis *'), '900')
    await waitFor(() =>
      expect(mockedList.changes.at(-1)).toEqual({
        change: { set: { price: '900', price_quantity: '1', unit: 't' } },
        rounding: { to: '0.01', direction: 'nearest' },
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

  it('are added to the list by article number', async () => {
    const { take, user, dialog } = await pasting('HEA-100\t1.150,00 €\nHEA-120\t92,50\t100\tkg\n')
    expect(within(dialog).getAllByRole('row').length).toBeLessThan(60)
    await take()
    await screen.findByText('2 Preise wurden gespeichert')
    expect(mockedList.sent).toEqual([
      [
        { article_number: 'HEA-100', price: { price: '1150', price_quantity: '1', unit: 't' }, version: 0 },
        { article_number: 'HEA-120', price: { price: '92.5', price_quantity: '100', unit: 'kg' }, version: 0 },
      ],
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await user.click(document.body)
  })

  it('are assigned by their headings, which are not imported', async () => {
    const { take, dialog, user } = await pasting('Bezeichnung\tPreis je 100 kg\tArt.-Nr.\nHEB 1\t92,50\tHEB-1\n')
    expect(
      await within(dialog).findByText(/^Kopfzeile erkannt: .*Artikelnummer aus „Art\.-Nr\.“.* Nicht übernommen: Bezeichnung\./),
    ).toBeVisible()
    await user.click(within(dialog).getByRole('checkbox', { name: 'Preise ersetzen, die die Liste schon hat' }))
    expect(within(dialog).getByRole('checkbox', { name: 'Staffeln der ersetzten Preise behalten' })).toBeChecked()
    await take()
    await screen.findByText('1 Preis wurde gespeichert')
    expect(mockedList.sent).toEqual([[{ article_number: 'HEB-1', price: { price: '92.5', price_quantity: '100', unit: 'kg' } }]])
    expect(mockedList.keepsTiers).toBe(true)
  })

  it('are accepted if valid, while the others stay for correction', async () => {
    const { take, cell, user, dialog } = await pasting('HEA-100\t850\nX-1\t870\nHEA-140\t900\n')
    await take()
    await waitFor(() => expect(cell(1, 0)).toHaveAccessibleDescription(/Diesen Artikel gibt es nicht/))
    await user.click(within(dialog).getByRole('button', { name: '2 fehlerfreie Zeilen übernehmen' }))
    await screen.findByText('2 Preise wurden gespeichert')
    expect(mockedList.sent.at(-1)?.map((price) => price.article_number)).toEqual(['HEA-100', 'HEA-140'])
    expect(cell(1, 0)).toHaveTextContent('X-1')
    expect(cell(0, 0)).toHaveTextContent('')
    expect(within(dialog).queryByRole('button', { name: /fehlerfreie/ })).not.toBeInTheDocument()
  })

  it('can be pasted by a button, without a keyboard', async () => {
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

  it('show errors line by line, and lose no line', async () => {
    const { take, cell, user, dialog } = await pasting('X-1\t850\nHEB-1\t870\nHEA-140\t\n')
    await take()
    await waitFor(() => expect(cell(2, 1)).toBeInvalid())
    expect(mockedList.sent).toEqual([])
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
    expect(mockedList.sent.at(-1)?.map((price) => [price.article_number, price.version])).toEqual([
      ['HEA-160', undefined],
      ['HEB-1', undefined],
      ['HEA-140', undefined],
    ])
  })
})
